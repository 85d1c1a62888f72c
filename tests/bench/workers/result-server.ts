import { join } from 'node:path';
import { type ToolSet, tool } from 'ai';
import { createApprovalFlow, largeResult } from 'countersign';
import { createConcurrencyLimit } from 'countersign/http/server';
import { toolEvents } from 'countersign/plugins/tool-events';
import { sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import { z } from 'zod';
import { flowRoutes } from '../../../lib/testing/server/flow-routes.ts';
import { serve } from '../../../lib/testing/server/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { offer } from '../support/worker-process.ts';

/** 4 MB as JSON. */
const rows = Array.from({ length: 35_000 }, (_, id) => ({
  id,
  name: `Track number ${id}`,
  artist: 'Nobody in particular',
  album: 'A record of results',
  seconds: 180 + (id % 120),
}));
const text = JSON.stringify(rows);

async function* pieces() {
  for (let from = 0; from < text.length; from += 16_384) yield text.slice(from, from + 16_384);
}

const returning = (execute: () => unknown) =>
  tool({ inputSchema: z.object({}), execute: async () => execute() });
const tools = {
  small: returning(() => 'ok'),
  value: returning(() => rows),
  stream: returning(() => largeResult({ summary: 'All rows.', text: pieces() })),
} satisfies ToolSet;

const intervalMs = 10;

/** `words 300`: so many words, one each 10 ms; each is the time at which it is due. Any other message: a call of that tool. */
const model = scriptedModel(({ prompt }) => {
  const last = prompt.at(-1);
  if (last?.role === 'tool') return [{ text: 'Done.' }];
  const said = last?.role === 'user' && last.content[0]?.type === 'text' ? last.content[0].text : '';
  const [what = '', count = '0'] = said.split(' ');
  if (what !== 'words') return [{ call: what, input: {} }];
  const start = performance.timeOrigin + performance.now();
  return Array.from({ length: Number(count) }, (_, word) => start + word * intervalMs).flatMap((due) => [
    { wait: () => passed(due) },
    { text: `${due} ` },
  ]);
});

async function passed(due: number): Promise<void> {
  const ms = due - performance.timeOrigin - performance.now();
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}

offer({
  /** @returns the address */
  async open(): Promise<string> {
    const store = sqliteStore({ path: join(temporaryFolder(), 'bench.sqlite') });
    const flow = createApprovalFlow({ store, model, tools });
    const settings = {
      authorize: () => ({ id: 'bench', name: 'Bench' }),
      concurrencyLimit: createConcurrencyLimit({ requests: 1_000 }),
      dialects: [toolEvents()],
    };
    const { url } = await serve({ fetch: flowRoutes(flow, settings) });
    return url;
  },
});
