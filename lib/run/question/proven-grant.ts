import type { Auditor } from '../../log/seal/auditor.ts';
import { sealBefore } from '../../log/seal/seal-before.ts';
import type { FlowStore } from '../../log/store-port.ts';
import { applyToTurn } from '../../log/turn/fold-turn.ts';
import { emptyTurn } from '../../log/turn/turn.ts';
import { type Grant, isSameJson, type JsonValue } from '../../protocol/index.ts';

const pageSize = 500;

/**
 * Whether the sealed record proves that a person gave this grant. Grants carry a seal of their own. An older
 * grant without a seal is looked up in the log of its chat, and no longer counts once that chat is erased.
 *
 * @param input the arguments of the call that the grant is to cover
 * @source ADR 0023
 */
export async function isProvenGrant(
  { auditor, store }: { auditor: Auditor; store: FlowStore },
  grant: Grant,
  input: JsonValue,
): Promise<boolean> {
  if (grant.seal !== undefined) return auditor.provesGrant(grant);
  const question = await store.question(grant.approvalId);
  if (!question) return false;
  const { chatId } = question;
  const all = emptyTurn();
  for (let after = 0; ; ) {
    const page = await store.read(chatId, after, pageSize);
    for (const event of page) {
      applyToTurn(all, event);
      after = event.seq;
      if (event.type !== 'approval-answered' || event.remembered?.grantId !== grant.id) continue;
      const call = all.calls.get(event.toolCallId);
      const previous = await sealBefore(store, chatId, event.seq);
      if (!call || auditor.check(chatId, previous, event, call) !== 'sealed') return false;
      const { scope, match } = event.remembered;
      const isSame =
        event.approved && event.by.id === grant.by.id && call.requested.toolName === grant.toolName;
      const isAsFar = scope === grant.scope && match === grant.match;
      const isHere = scope !== 'chat' || chatId === grant.chatId;
      const ran = event.input ?? call.requested.input;
      const covers = match === 'tool' || isSameJson(ran, input);
      return isSame && isAsFar && isHere && covers;
    }
    if (page.length < pageSize) return false;
  }
}
