// depends on: app/chats lib/react/card lib/react/styles lib/client/calls lib/client/sheet lib/plugins/forms lib/server/routes
import { type ToolSet, tool } from 'ai';
import { largeResult } from 'countersign';
import { toolEvents } from 'countersign/plugins/tool-events';
import { createFetchHandler } from 'countersign/sse/server';
import { beforeAll, describe, expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { serve } from '../../lib/testing/server/serve.ts';
import { ada, flowFixture } from '../support/flow-fixture.ts';
import { it } from './support/browser-test.ts';
import { bundlePage } from './support/serve-page.ts';

const text = `${'a row of the result 😀\n'.repeat(100_000)}the last row`;

async function* pieces() {
  for (let from = 0; from < text.length; from += 9_999) yield text.slice(from, from + 9_999);
}

let servePage: Awaited<ReturnType<typeof bundlePage>>;

beforeAll(async () => {
  servePage = await bundlePage('result-page.tsx');
});

/** A server whose tool returns a stream; it notes the addresses of results that were read. */
async function streamingServer() {
  const read = tool({
    inputSchema: z.object({}),
    execute: async () => largeResult({ summary: 'All 100,000 rows.', resultCount: 100_000, text: pieces() }),
  });
  const { flow } = flowFixture([[{ call: 'read', id: 'read' }], [{ text: 'Done.' }]], {
    tools: { read } as ToolSet,
  });
  const handler = createFetchHandler(flow, { authorize: () => ada, dialects: [toolEvents()] });
  const fetched: string[] = [];
  const { url, close } = await serve({
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (!pathname.startsWith('/api/dialects/tool-events')) return new Response(null, { status: 204 });
      if (pathname.endsWith('/result')) fetched.push(pathname);
      return handler(request);
    },
  });
  onTestFinished(async () => {
    await flow.close();
    await close();
  });
  return { url, fetched };
}

describe('a result of two million characters in a page', () => {
  it('shows its summary immediately, and its text when it is opened [A6, A18]', async ({ open }) => {
    const { url, fetched } = await streamingServer();
    const { page } = await open({ as: null, url: 'about:blank' });
    await page.goto(await servePage(page.context(), url));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('All 100,000 rows.').waitFor();
    expect(fetched).toEqual([]);
    await page.locator('[data-part="toggle"]').click();
    await page.getByText('the last row').waitFor();
    expect(await page.locator('[data-length]').getAttribute('data-length')).toBe(String(text.length));
    expect(fetched).toHaveLength(1);
  });
});
