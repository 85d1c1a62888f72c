import type { Auditor } from '../../log/seal/auditor.ts';
import { sealBefore } from '../../log/seal/seal-before.ts';
import type { FlowStore } from '../../log/store/index.ts';
import { type Call, calls, isCleared, type Turn } from '../../log/turn/turn.ts';
import { type ChatId, type EventBody, type FlowEvent, isSameJson } from '../../protocol/index.ts';
import { pluginOfRule, recordedBy } from '../../rights/added-rules.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { neverAsks } from '../../settings/tools/tool-details.ts';
import { cancelled, failed } from '../step/call-end.ts';
import { unknownOutcome } from './execute-call.ts';

/** A call that must not run, why (for the operator's log), and how it ends. */
export type UnprovenCall = { readonly call: Call; readonly why: string; readonly end: EventBody };

type Parts = { readonly auditor: Auditor; readonly store: FlowStore; readonly settings: FlowSettings };

/**
 * The calls of a turn that could run next, or are running, though the sealed record does not prove that they
 * may: rows that were inserted into the database. Events that this process made or checked cost nothing; for
 * others, the previous seal is read from the log.
 *
 * @source ADR 0023
 */
export async function unprovenCalls(parts: Parts, chatId: ChatId, turn: Turn): Promise<UnprovenCall[]> {
  const found: UnprovenCall[] = [];
  for (const call of calls(turn)) {
    if (call.end || !isCleared(call)) continue;
    const why = await whyUnproven(parts, chatId, call);
    if (why !== undefined) found.push({ call, why, end: endOf(call) });
  }
  return found;
}

/** True when this process made or checked every event that lets a call of the turn run: `unprovenCalls` finds none. */
export function areVouchedFor(
  { auditor, settings }: Pick<Parts, 'auditor' | 'settings'>,
  turn: Turn,
): boolean {
  return calls(turn).every((call) => {
    if (call.end || !isCleared(call)) return true;
    // A call that has started runs again only after a take-over. It is checked more closely.
    if (call.started) return false;
    const { requested, asked, answered, granted } = call;
    const { gate, toolName } = requested;
    if (gate.type === 'none' && neverAsks(settings, toolName)) return true;
    const clearing: readonly (FlowEvent | undefined)[] =
      gate.type === 'ask'
        ? [
            ...(granted ? [] : [asked]),
            ...claimsOf(call).flatMap(({ events }) => (events.length > 0 ? [...events] : [undefined])),
            ...(call.recorded ?? []),
            answered ?? granted,
          ]
        : [requested];
    return clearing.every((event) => event !== undefined && auditor.vouchesFor(event));
  });
}

/** Why the record does not prove that a call may run, as a clause; `undefined` if it does. */
export async function whyUnproven(parts: Parts, chatId: ChatId, call: Call): Promise<string | undefined> {
  const { requested, asked, answered, granted, started } = call;
  const checkOf = (event: FlowEvent) => checkEvent(parts, chatId, event, call);
  const approval = answered?.approved ? answered : granted;
  const { gate } = requested;

  if (started) {
    const check = await checkOf(started);
    const approved = answered?.input ?? requested.input;
    const isNeverAsked = gate.type === 'none' && neverAsks(parts.settings, requested.toolName);
    if (check !== undefined && !isNeverAsked) return `its start ${check}`;
    if (!isSameJson(started.input, approved)) return 'it started with other arguments';
  }
  if (gate.type === 'none') {
    // There was no question, so a forged row could not bypass one.
    if (neverAsks(parts.settings, requested.toolName)) return undefined;
    return because('its request', await checkOf(requested));
  }
  if (gate.type === 'automatic') return because('the decision', await checkOf(requested));
  if (!approval) return 'there is no approval';
  const check = await checkOf(approval);
  if (check !== undefined) return `its approval ${check}`;
  for (const { plugin, events } of claimsOf(call)) {
    if (events.length === 0)
      return `nothing of the plugin ${plugin}, by whose rule it was approved, is in the log`;
    for (const event of events) {
      const claim = await checkOf(event);
      if (claim !== undefined) return `what the plugin ${plugin} recorded ${claim}`;
    }
  }
  if (approval.type === 'approval-granted' || !asked) return undefined;
  for (const earlier of call.recorded ?? []) {
    const check = await checkOf(earlier);
    if (check !== undefined) return `an answer before its approval ${check}`;
  }
  if (asked.seal !== undefined || parts.auditor.vouchesFor(asked)) {
    return because('its question', await checkOf(asked));
  }
  // Asked before the flow had a key: then nothing in the chat is sealed before the answer, which says what it approves.
  const isFirst = (await sealBefore(parts.store, chatId, asked.seq)) === null;
  return isFirst ? undefined : 'its question has no seal';
}

/**
 * The plugins by whose rules the question was answered, and what they have recorded about it. Without that, the person had no
 * right. All of it counts, because what a question says may follow from each event.
 *
 * @source ADR 0056.19
 */
function claimsOf(call: Call): readonly { plugin: string; events: readonly FlowEvent[] }[] {
  const { recorded = [], answered } = call;
  const plugins = new Set([...recorded, answered].map((answer) => pluginOfRule(answer?.rule)));
  return [...plugins].flatMap((plugin) =>
    plugin === undefined ? [] : [{ plugin, events: recordedBy(plugin, call) }],
  );
}

function because(what: string, check: string | undefined): string | undefined {
  return check === undefined ? undefined : `${what} ${check}`;
}

/** What is wrong with an event's seal, as a clause; `undefined` if the seal is valid. */
async function checkEvent(
  { auditor, store }: Parts,
  chatId: ChatId,
  event: FlowEvent,
  call: Call,
): Promise<string | undefined> {
  if (auditor.vouchesFor(event)) return undefined;
  if (event.seal === undefined) return 'has no seal';
  const check = auditor.check(chatId, await sealBefore(store, chatId, event.seq), event, call);
  if (check === 'sealed') return undefined;
  return check === 'unknown-key'
    ? 'was sealed with a key that this flow does not have'
    : 'has a seal of something else';
}

/** A provider runs what it finds approved, so its call is withdrawn. A started call may have had its effect. */
function endOf(call: Call): EventBody {
  const { toolCallId, executor } = call.requested;
  const error = 'Not run: its approval could not be verified.';
  if (call.started) return unknownOutcome(call, 'its approval could not be verified.');
  return executor === 'provider' ? cancelled(toolCallId, error) : failed(toolCallId, error);
}
