import type { History, Written } from '../history.ts';
import { type Invariant, tally } from './invariant.ts';

/**
 * A chat is imported once, and not again after it was erased. No call that it brought along runs or has an event. A call
 * that is asked instead of one runs only if a person approved that call (ADR 0036).
 */
export const imports: Invariant = {
  name: 'an imported call never runs, and what is asked instead only if it is approved',
  check(history) {
    const { verify, result } = tally();
    for (const { chatId, moment, status, instance } of history.imports) {
      const wasErased = history.erased.some((each) => each.chatId === chatId && each.moment < moment);
      verify(wasErased && status === 'imported' && `${instance} imported ${chatId}, which was erased`);
    }
    for (const chatId of new Set(history.imports.map((each) => each.chatId))) {
      const log = history.logOf(chatId);
      verify(...faultsOfLog(chatId, log), ...faultsOfRuns(history, chatId, log));
    }
    return result();
  },
};

function faultsOfLog(chatId: string, log: readonly Written[]): (string | false)[] {
  const old = importedCalls(log);
  return log.map(({ event }) => {
    if (event.type === 'chat-imported') return event.seq !== 1 && `${chatId} was imported at ${event.seq}`;
    if (!('toolCallId' in event)) return false;
    if (old.has(event.toolCallId))
      return `${chatId} has ${event.type} of ${event.toolCallId}, an imported call`;
    if (event.type !== 'tool-requested' || !old.has(rootOf(log, event.toolCallId))) return false;
    const { gate } = event;
    // A call whose gate failed, or denied it, has ended.
    const mayStand =
      gate.type === 'ask' || gate.type === 'failed' || (gate.type === 'automatic' && !gate.approved);
    return !mayStand && `${chatId} does not ask for ${event.toolCallId}`;
  });
}

function faultsOfRuns({ executions }: History, chatId: string, log: readonly Written[]): (string | false)[] {
  const old = importedCalls(log);
  return executions
    .filter((each) => each.chatId === chatId && old.has(rootOf(log, each.toolCallId)))
    .map(({ toolCallId, instance, moment }) => {
      const isApproved = log.some(
        ({ event, moment: at }) =>
          event.type === 'approval-answered' &&
          event.toolCallId === toolCallId &&
          event.approved &&
          at < moment,
      );
      return (
        !isApproved && `${instance} ran ${chatId}/${toolCallId} for an imported call, without its approval`
      );
    });
}

function importedCalls(log: readonly Written[]): ReadonlySet<string> {
  return new Set(
    log.flatMap(({ event }) =>
      event.type === 'message-imported'
        ? event.message.parts.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : []))
        : [],
    ),
  );
}

/** The first of the calls that replace each other. */
function rootOf(log: readonly Written[], toolCallId: string): string {
  const requested = log.find(
    ({ event }) => event.type === 'tool-requested' && event.toolCallId === toolCallId,
  )?.event;
  return requested?.type === 'tool-requested' && requested.replaces !== undefined
    ? rootOf(log, requested.replaces)
    : toolCallId;
}
