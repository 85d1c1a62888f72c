import type { ChatHead } from '../../log/store/index.ts';
import type { Call } from '../../log/turn/turn.ts';
import { previewOf } from '../../log/turn/turn.ts';
import type { ChatEventBody, RecordedPreview } from '../../protocol/index.ts';
import { appendChatEvent, type ChatWriter } from '../chat-event.ts';
import { makePreview, type Previewing } from './make-preview.ts';

/** How long a preview counts as current. */
const currentMs = 60_000;

type Known = Exclude<Call['previewed'], undefined>;

/**
 * The effect of an open question's call as it is now. It is determined again if it is older than a minute,
 * and recorded: the whole effect if it differs, otherwise only the time. If another writer is first, nothing
 * is recorded, and the caller's next access sees the changed chat.
 *
 * @param head what `call` was folded up to
 * @param beforeMaking called before the effect is determined again. What it throws is passed on
 * @returns nothing for a tool without `preview`
 * @source ADR 0040
 */
export async function currentPreview(
  writer: Previewing & ChatWriter,
  head: ChatHead,
  call: Call,
  beforeMaking?: () => void,
): Promise<Known | undefined> {
  const known = previewOf(call);
  const { asked } = call;
  if (!asked) return undefined;
  // Settled, so no other effect can be shown.
  if (head.open !== asked.approvalId) return known;
  const now = await writer.clock.sure();
  if (known && now - known.at < currentMs) return known;
  beforeMaking?.();
  const made = await makePreview(writer, call);
  if (!made && !known) return undefined;
  const preview: RecordedPreview = made ?? { state: 'failed' };
  const { approvalId, toolCallId } = asked;
  const body: ChatEventBody = {
    type: 'approval-previewed',
    approvalId,
    toolCallId,
    preview: !isSame(preview, known?.preview) ? preview : undefined,
  };
  await appendChatEvent(writer, head, call, body);
  return { preview, at: now };
}

function isSame(one: RecordedPreview, other: RecordedPreview | undefined): boolean {
  if (one.state === 'made') return other?.state === 'made' && one.digest === other.digest;
  return other?.state === one.state;
}
