import type { ChatHead } from '../../log/store-port.ts';
import type { Call } from '../../log/turn/turn.ts';
import { appendChatEvent } from '../../run/chat-event.ts';
import type { Engine } from '../../run/engine.ts';
import { questionDigest } from '../../run/question/question-digest.ts';

/**
 * Binds a question that an older version asked, without a digest, to the tool as this process has it. The
 * first instance wins. Does nothing if the chat has changed meanwhile.
 *
 * @source ADR 0020
 */
export async function bindQuestion(engine: Engine, head: ChatHead, call: Call): Promise<void> {
  const { requested, asked } = call;
  const digest = await questionDigest(engine, requested);
  if (!asked || digest === undefined) return;
  const { approvalId, toolCallId } = asked;
  const body = { type: 'approval-bound' as const, approvalId, toolCallId, digest };
  const bound = { ...body, seq: head.seq + 1, at: engine.clock.now() };
  await appendChatEvent(engine, head, { ...call, bound }, body);
}
