import { type EventOf, type Grant, redact } from '../protocol/index.ts';
import type { Call } from './turn/turn.ts';

/** The row that a remembered approval writes beside the log. */
export function grantIn(
  { approvalId, at, by, remembered, input }: EventOf<'approval-answered'>,
  { requested }: Call,
  chat: { readonly id: Grant['chatId'] },
): Grant | undefined {
  if (!remembered) return undefined;
  const { grantId: id, key, scope, match } = remembered;
  const { toolName, title, secrets } = requested;
  const shown = redact(input ?? requested.input, secrets?.input);
  return {
    ...{ id, key, by, scope, match, toolName, approvalId, createdAt: at },
    chatId: scope === 'chat' ? chat.id : undefined,
    title,
    input: match === 'exact-arguments' ? shown : undefined,
  };
}
