import type { AuditEntry } from '../../log/seal/audit-entry.ts';
import type { Auditor, SealCheck } from '../../log/seal/auditor.ts';
import { applyToTurn } from '../../log/turn/fold-turn.ts';
import { emptyTurn } from '../../log/turn/turn.ts';
import type { ChatId, FlowEvent } from '../../protocol/index.ts';

/**
 * An event of a chat's log without a valid seal. `unsealed`: it has none, in a chat that has some. `misplaced`: the seal is not valid for the event, or not in this place. `unknown-key`: it
 * was made with a key that the flow does not have.
 */
export type LogFault = {
  readonly type: Extract<SealCheck, 'unsealed' | 'misplaced' | 'unknown-key'>;
  readonly seq: number;
  /** The type of the event. */
  readonly event: FlowEvent['type'];
  readonly toolCallId?: string;
};

/** An entry, and the seal before it: together they can be checked without the rest of the record. */
export type PlacedEntry = { readonly entry: AuditEntry; readonly previous: string | null };

/** A chat's audit record from its log, with faults. It includes cut history, whose calls ran. */
export function auditEntries(
  chatId: ChatId,
  events: readonly FlowEvent[],
  auditor: Auditor,
): { readonly entries: PlacedEntry[]; readonly faults: LogFault[] } {
  const entries: PlacedEntry[] = [];
  const faults: LogFault[] = [];
  let previous: string | null = null;
  /** The last valid seal. The next entry does not follow a forged one in between. */
  let fitting: string | null = null;
  // One fold over all turns, to find calls by id.
  const all = emptyTurn();
  for (const event of events) {
    applyToTurn(all, event);
    const call = 'toolCallId' in event ? all.calls.get(event.toolCallId) : undefined;
    const checkAfter = (seal: string | null) => auditor.check(chatId, seal, event, call);
    const first = checkAfter(previous);
    const check = first === 'misplaced' && fitting !== previous ? checkAfter(fitting) : first;
    const isFault = check === 'unsealed' ? previous !== null : check !== 'sealed';
    if (isFault && check !== 'sealed' && check !== 'unrecorded') faults.push(faultOf(event, check));
    const entry = auditor.entryOf(chatId, event, call);
    if (entry) entries.push({ entry, previous });
    previous = event.seal ?? previous;
    if (check === 'sealed') fitting = previous;
  }
  return { entries, faults };
}

function faultOf(event: FlowEvent, type: LogFault['type']): LogFault {
  const { seq, type: name } = event;
  return { type, seq, event: name, toolCallId: 'toolCallId' in event ? event.toolCallId : undefined };
}
