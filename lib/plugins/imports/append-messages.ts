import { advanceHead } from '../../log/chat-head.ts';
import { Conflict } from '../../log/conflict.ts';
import type { ChatHead } from '../../log/store/index.ts';
import type { EventBody } from '../../protocol/index.ts';
import type { Engine } from '../../run/engine.ts';
import type { ImportResult } from './import-request.ts';

/**
 * Creates a chat with these events and no open question. No run begins.
 *
 * @param updatedAt when the chat was last changed, in epoch milliseconds. Default: now
 * @throws Conflict if the chat was begun meanwhile
 */
export async function appendMessages(
  engine: Engine,
  head: ChatHead,
  bodies: readonly EventBody[],
  updatedAt: number | undefined,
): Promise<ImportResult> {
  const now = await engine.clock.sure();
  const runId = engine.ids.run();
  const events = bodies.map((body, index) => ({ ...body, seq: index + 1, at: updatedAt ?? now, runId }));
  const batch = { chatId: head.id, after: 0, events, head: advanceHead(head, events), questions: [], now };
  if ((await engine.append(batch)) !== 'appended') throw new Conflict(`Chat ${head.id} was begun meanwhile.`);
  return { status: 'imported' };
}
