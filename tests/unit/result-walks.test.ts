import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tool } from 'ai';
import { createApprovalFlow } from 'countersign';
import { createFetchHandler } from 'countersign/sse/server';
import { sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';

const rows = Array.from({ length: 20_000 }, (_, row) => ({ row, title: `Track number ${row} of many` }));
const { length } = JSON.stringify(rows);

it('writes a long result as JSON three times, for its size, the log and the page, and parses it once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-walks-'));
  const store = sqliteStore({ path: join(folder, 'store.db') });
  const model = scriptedModel([[{ call: 'read', input: {} }], [{ text: 'Done.' }]]);
  const tools = { read: tool({ inputSchema: z.object({}), execute: async () => rows }) };
  const flow = createApprovalFlow({ store, model, tools });
  const handle = createFetchHandler(flow, { authorize: () => ({ id: 'ada', name: 'Ada' }) });
  const message = { id: 'message', role: 'user', parts: [{ type: 'text', text: 'Read.' }] };
  const request = new Request('http://localhost/api/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json', host: 'localhost' },
    body: JSON.stringify({ id: 'chat', trigger: 'submit-message', message }),
  });

  const written = vi.spyOn(JSON, 'stringify');
  const parsed = vi.spyOn(JSON, 'parse');
  expect(await (await handle(request)).text()).toContain('"Track number 19999 of many"');
  // Whole results: how often each text has the value.
  const times = written.mock.results.map(({ value }) => Math.floor((value?.length ?? 0) / length));
  expect(times.filter((count) => count > 0)).toEqual([1, 1, 1]);
  expect(parsed.mock.calls.filter(([text]) => text.length >= length)).toHaveLength(1);

  vi.restoreAllMocks();
  await flow.close();
  rmSync(folder, { recursive: true });
});
