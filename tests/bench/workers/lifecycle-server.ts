import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tool } from 'ai';
import { createApprovalFlow } from 'countersign';
import { createConcurrencyLimit } from 'countersign/http/server';
import { sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import { z } from 'zod';
import { serveFlow } from '../../../lib/testing/server/serve-flow.ts';

/**
 * The server that is measured, in a process of its own: an embedded store with fsync, a model without latency,
 * a tool that does nothing. A message `busy` is answered with much text, anything else with one call of the tool.
 * Tells its address to the parent.
 */
const busyWords = 100;
const pauseMs = 50;

const isBusy = (prompt: unknown) => JSON.stringify(prompt).includes('busy');

const model = scriptedModel((options, step) => {
  if (isBusy(options.prompt)) {
    return Array.from({ length: busyWords }).flatMap(() => [
      { text: 'word ' },
      { wait: () => new Promise((resolve) => setTimeout(resolve, pauseMs)) },
    ]);
  }
  const called = JSON.stringify(options.prompt.at(-1)).includes('tool-result');
  return called ? [{ text: 'Done.' }] : [{ call: 'noop', input: {}, id: `call-${step}` }];
});

const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
const flow = createApprovalFlow({
  store: sqliteStore({ path: join(folder, 'bench.sqlite') }),
  model,
  tools: {
    noop: tool({ inputSchema: z.object({}), execute: async () => 'ok' }),
    ask: tool({ inputSchema: z.object({}), needsApproval: true, execute: async () => 'ok' }),
  },
});
const served = await serveFlow(flow, {
  authorize: () => ({ id: 'bench', name: 'Bench' }),
  // One user measures what many would do.
  concurrencyLimit: createConcurrencyLimit({ requests: 1_000 }),
});
process.on('disconnect', () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
process.send?.({ url: served.url });
