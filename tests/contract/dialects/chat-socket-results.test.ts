import { tool } from 'ai';
import { expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { connectChatSocket } from './support/chat-socket-client.ts';
import { serveDialects } from './support/serve-dialects.ts';

const rows = Array.from({ length: 3_000 }, (_, row) => ({ row, text: `row ${row} of many` }));
const bytes = JSON.stringify(rows).length;
const isRows = (value: unknown) => Array.isArray(value) && value.length === rows.length;

/** How often the rows were made into JSON. */
function countJson() {
  const stringify = vi.spyOn(globalThis.JSON, 'stringify');
  onTestFinished(() => stringify.mockRestore());
  return () => stringify.mock.calls.filter(([value]) => isRows(value)).length;
}

it('makes a long result into JSON once for a socket that reads it [D19]', async () => {
  const list = tool({ inputSchema: z.object({}), execute: async () => rows });
  const { url } = await serveDialects([[{ call: 'list' }], [{ text: 'Done.' }]], { tools: { list } });
  const first = await connectChatSocket(url);
  first.say('Go');
  const { conversation_id } = await first.frame('complete');
  const made = countJson();
  const client = await connectChatSocket(url);
  client.send({ type: 'resume', conversation_id });
  await client.complete();
  expect(await client.frame('tool_complete')).toMatchObject({ truncated: true, original_length: bytes });
  expect(made()).toBe(1);
});
