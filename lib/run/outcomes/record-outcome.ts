import type { FlowStore } from '../../log/store/index.ts';
import { isUnknown } from '../../log/turn/call-end.ts';
import { applyToTurn } from '../../log/turn/fold-turn.ts';
import { type Call, emptyTurn } from '../../log/turn/turn.ts';
import type { ChatEventBody, ChatId, ModelOutput } from '../../protocol/index.ts';
import { appendChatEvent, type ChatWriter } from '../chat-event.ts';

type Resolution = Extract<ChatEventBody, { type: 'outcome-resolved' }>;

/** A report on a call that was recorded as unknown. Without `modelOutput` the model gets the outcome in words. */
export type OutcomeReport = Omit<Resolution, 'type' | 'modelOutput'> & {
  readonly chatId: ChatId;
  readonly modelOutput?: ModelOutput;
};

/** Where to look for the call of a report. Default: in the whole current chat. */
export type CallPlace = {
  /** Of the chat: another one may have the same id now. */
  readonly createdAt?: number;
  /** The first event of the call, or one before it. */
  readonly fromSeq?: number;
  /** The last event that the reporting process knows. An attempt that began after it is one of another instance. */
  readonly knownTo?: number;
};

/** The result of a report. */
export type ReportResult =
  /** Recorded: the call's outcome is what was reported. */
  | { readonly type: 'resolved'; readonly call: Call }
  /** Another report was first, or another instance has run the call since. What is recorded stays. */
  | { readonly type: 'standing'; readonly call: Call }
  /** The call's outcome was never unknown. */
  | { readonly type: 'known'; readonly call: Call }
  /** The call has not ended, or the chat has an active run: retry later. */
  | { readonly type: 'pending' }
  | { readonly type: 'no-such-call' };

/** If others write to the chat at the same moment, it is read again. */
const rounds = 5;

/**
 * Records the outcome of a call that was recorded as unknown. Between a person and a lookup, the first one
 * counts. The report of the process that ran the call (`late`) overrides both. If another instance has run the call since,
 * a late report that it did not run, or failed, is not recorded: it is about an earlier attempt. The model sees the outcome
 * in its next step.
 *
 * @throws CountersignError of the store; `transient` when the same report may be recorded later
 * @source ADR 0018
 */
export async function resolveOutcome(
  engine: ChatWriter & { readonly store: FlowStore },
  { chatId, modelOutput, ...report }: OutcomeReport,
  place: CallPlace = {},
): Promise<ReportResult> {
  const { store } = engine;
  for (let round = 0; round < rounds; round += 1) {
    const head = await store.chats.head(chatId);
    // Another chat may have the same id now.
    if (!head || (place.createdAt ?? head.createdAt) !== head.createdAt) return { type: 'no-such-call' };
    if (head.status === 'active') return { type: 'pending' };
    const all = emptyTurn();
    for (const event of await store.events.read(chatId, (place.fromSeq ?? 1) - 1)) {
      if (event.seq <= head.seq) applyToTurn(all, event);
    }
    const call = all.calls.get(report.toolCallId);
    if (!call) return { type: 'no-such-call' };
    if (!call.end) return { type: 'pending' };
    const wasRunAgain = call.retried !== undefined && call.retried.seq > (place.knownTo ?? Infinity);
    if (wasRunAgain && report.outcome !== 'completed') return { type: 'standing', call };
    if (call.resolved && (report.source !== 'late' || call.resolved.source === 'late')) {
      return { type: 'standing', call };
    }
    if (!call.resolved && !isUnknown(call.end)) return { type: 'known', call };
    const body: Resolution = {
      type: 'outcome-resolved',
      ...report,
      modelOutput: modelOutput ?? toldOf(report),
    };
    if (await appendChatEvent(engine, head, call, body)) {
      applyToTurn(all, { ...body, seq: head.seq + 1, at: engine.clock.now() });
      return { type: 'resolved', call };
    }
  }
  return { type: 'pending' };
}

const happened = { completed: 'it ran', failed: 'it failed', 'not-run': 'it did not run' };

function toldOf({ outcome, by, note, error }: Omit<OutcomeReport, 'chatId'>): ModelOutput {
  const who = by ? `${by.name} checked and reports` : 'It was found later';
  const said = [note, error].filter((text) => text !== undefined && text !== '').join(' ');
  const value = `The outcome of this call was not known at first. ${who}: ${happened[outcome]}.${said && ` ${said}`}`;
  return outcome === 'completed' ? { type: 'text', value } : { type: 'error-text', value };
}
