import type { ChatId, FlowEvent } from '../../vocabulary/index.ts';
import { applyToTurn, emptyTurn } from '../turn.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { Auditor } from './auditor.ts';

/** A chat's audit record, read back from its log. Cut history stays in it: what ran has run. */
export function auditEntries(
  chatId: ChatId,
  events: readonly FlowEvent[],
  auditor: Auditor | undefined,
): AuditEntry[] {
  if (!auditor) return [];
  // One fold over all turns: calls are found by id, wherever they were made.
  const all = emptyTurn();
  return events.flatMap((event) => {
    applyToTurn(all, event);
    const call = 'toolCallId' in event ? all.calls.get(event.toolCallId) : undefined;
    const entry = call && auditor.entryOf(chatId, event, call);
    return entry ? [entry] : [];
  });
}
