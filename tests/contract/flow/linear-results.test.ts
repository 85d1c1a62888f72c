import { type ToolSet, tool } from 'ai';
import { largeResult } from 'countersign';
import { toolEvents } from 'countersign/plugins/tool-events';
import { createFetchHandler } from 'countersign/sse/server';
import type { FlowStore } from 'countersign/store';
import { sqliteStore } from 'countersign/store';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ada, flowFixture } from '../../support/flow-fixture.ts';

/** Four times the size is four times the work, and a little that does not depend on the size. */
const most = 4.2;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Counts the characters that are written and read as JSON from now on: of every pass, by anybody in this process. */
function countJson() {
  const { stringify, parse } = JSON;
  let characters = 0;
  vi.spyOn(globalThis.JSON, 'stringify').mockImplementation((...given: Parameters<typeof stringify>) => {
    const text = stringify(...given);
    characters += text?.length ?? 0;
    return text;
  });
  vi.spyOn(globalThis.JSON, 'parse').mockImplementation((text, reviver) => {
    characters += text.length;
    return parse(text, reviver);
  });
  return () => characters;
}

/** Everything that happens to a result: it is written, streamed, replayed, loaded, shown to the model, and fetched. */
async function passThrough(execute: () => unknown, store: FlowStore = sqliteStore({ path: ':memory:' })) {
  const read = tool({ inputSchema: z.object({}), execute: execute as () => string });
  const script = [[{ call: 'read', id: 'read' }], [{ text: 'Done.' }], [{ text: 'Again.' }]] as const;
  const { flow, say, resume, view } = flowFixture(script, { tools: { read } as ToolSet, store });
  const handler = createFetchHandler(flow, { authorize: () => ada, dialects: [toolEvents()] });
  const get = async (path: string) => {
    const response = await handler(new Request(`http://127.0.0.1:3000/api/dialects/tool-events${path}`));
    return (await response.text()).length;
  };
  await say('Go.');
  await resume();
  await view();
  await get('?conversationId=chat');
  await get('/stream?conversationId=chat');
  await get('/result?conversationId=chat&toolCallId=read');
  await say('And now?');
  await flow.close();
  await store.close();
}

async function jsonFor(execute: () => unknown): Promise<number> {
  const counted = countJson();
  await passThrough(execute);
  vi.restoreAllMocks();
  return counted();
}

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, name: `Row number ${id} of a result` }));

describe('the work of a result is linear in its size', () => {
  it('for a value: each pass reads it once [A6]', async () => {
    const [once, fourTimes] = [await jsonFor(() => rowsOf(2_000)), await jsonFor(() => rowsOf(8_000))];
    expect(fourTimes / once).toBeLessThan(most);
  });

  it('but not for preliminary results that repeat all earlier rows', async () => {
    async function* repeating(count: number) {
      for (let rows = 500; rows <= count; rows += 500) yield rowsOf(rows);
    }
    const [once, fourTimes] = [await jsonFor(() => repeating(2_000)), await jsonFor(() => repeating(8_000))];
    expect(fourTimes / once).toBeGreaterThan(2 * most);
  });

  it.each([100, 64_000, 1e7])(
    'as a stream in pieces of %i characters: each part is written once and read once [A6]',
    async (size) => {
      const worked = async (length: number) => {
        const text = 'x'.repeat(length);
        async function* pieces() {
          for (let from = 0; from < length; from += size) yield text.slice(from, from + size);
        }
        const store = sqliteStore({ path: ':memory:' });
        const written = vi.spyOn(store.results, 'add');
        const read = vi.spyOn(store.results, 'read');
        const counted = countJson();
        await passThrough(async () => largeResult({ summary: 'All.', text: pieces() }), store);
        const json = counted();
        const parts = written.mock.calls.map(([part]) => part.text.length);
        expect([Math.max(...parts) <= 65_536, parts.reduce((sum, part) => sum + part)]).toEqual([
          true,
          length,
        ]);
        expect([written.mock.calls.length, read.mock.calls.length]).toEqual(Array(2).fill(parts.length));
        vi.restoreAllMocks();
        return json;
      };
      const [once, fourTimes] = [await worked(500_000), await worked(2_000_000)];
      expect(fourTimes / once).toBeLessThan(most);
    },
  );
});
