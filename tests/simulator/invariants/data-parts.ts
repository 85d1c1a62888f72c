import type { UIMessage, UIMessageChunk } from 'ai';
import type { FinalView } from '../history.ts';
import { isContinued } from '../schedule/log-facts.ts';
import { type Invariant, tally } from './invariant.ts';

/**
 * A data part that was acknowledged is in the log once, in the order of the writes. The stored chat has each part of the
 * log once, in that order, and in a `final` turn none before its last answer (ADR 0031). Parts of calls that were kept are
 * shown call by call.
 */
export const dataParts: Invariant = {
  name: 'an acknowledged data part is in the chat once, and after the last answer',
  check(history) {
    const { verify, result } = tally();
    if (!history.profile.dataParts) return result();
    const last = new Map<string, number>();
    for (const { chatId, toolCallId, instance, moment, note, durableAt } of history.dataParts) {
      if (durableAt === undefined || history.isGone(chatId, moment)) continue;
      const places = history
        .logOf(chatId)
        .flatMap(({ event, by }, place) => (noteOf(event) === note ? [{ place, by }] : []));
      const [at] = places;
      const call = `${chatId}/${toolCallId} ${instance}`;
      verify(
        places.length !== 1 && `part ${note} of ${instance} is ${places.length} times in the log`,
        at && at.by !== instance && `${at.by} wrote part ${note} of ${instance}`,
        at && at.place < (last.get(call) ?? 0) && `part ${note} is before an earlier one of ${instance}`,
      );
      if (at) last.set(call, at.place);
    }
    for (const view of history.finals) verify(...faultsOfView(view));
    for (const { chatId, instance, chunks } of history.profile.release === 'final' ? history.readings : []) {
      const start = chunks.find(({ type }) => type === 'start');
      // A retry asks after the turn has ended.
      if (start?.type === 'start' && isContinued(history.logOf(chatId), start.messageId)) continue;
      verify(isTooEarly(chunks) && `${instance} sent a part of ${chatId} before its last question`);
    }
    return result();
  },
};

function noteOf(event: object): unknown {
  const { type, part } = event as { readonly type: string; readonly part?: { readonly data: unknown } };
  return type === 'data-written' ? part?.data : undefined;
}

/** The notes of a stored chat, against those of its log. */
function faultsOfView({ chatId, instance, chat, log }: FinalView): (string | false)[] {
  const messages = (chat?.messages ?? []) as UIMessage[];
  const of = new Map(messages.map((message) => [message.id, notesIn(message)]));
  const recorded: unknown[] = log.map(noteOf).filter((note) => note !== undefined);
  const turns = new Map<unknown, string>();
  for (const event of log) if (event.type === 'run-started') turns.set(event.runId, event.messageId);
  const open = typeof chat?.open === 'string' ? messages.at(-1)?.id : undefined;
  const release = log.findLast((event) => event.type === 'run-started')?.release;
  const released = releasedThrough(log);
  /** What a turn withholds until its end: all of it, or what follows its first question. */
  const isHeld = (id: string, seq: number) => {
    const asked = log.find((event) => event.type === 'approval-requested' && turns.get(event.runId) === id);
    const isWithheld = release === 'final' || (release === 'hold-after-question' && asked && asked.seq < seq);
    return isWithheld && id === messages.at(-1)?.id && seq > released;
  };
  const faults: (string | false)[] = [...of].map(([id, notes]) => {
    const places = notes.map((note) => recorded.indexOf(note));
    const isOrdered = hasKept(log, id)
      ? !places.includes(-1) && new Set(places).size === places.length
      : places.every((place, at) => place > (places[at - 1] ?? -1));
    return (
      !isOrdered &&
      `${instance} shows the parts ${notes.join(', ')} of ${chatId}/${id}, which are not those of its log`
    );
  });
  for (const event of log) {
    const id = turns.get(event.runId);
    const note = noteOf(event);
    const notes = id === undefined ? undefined : of.get(id);
    if (note === undefined || id === undefined || !notes) continue;
    const isShown = notes.includes(note);
    faults.push(
      isHeld(id, event.seq)
        ? isShown && `${instance} shows part ${note} before the end of a held turn`
        : !isShown && `${instance} does not show part ${note}`,
      id === open &&
        release === 'final' &&
        event.seq > released &&
        isShown &&
        `${instance} shows part ${note} while a question is open`,
    );
  }
  return faults;
}

/** Whether a turn shows calls of an earlier one. */
function hasKept(log: FinalView['log'], messageId: string): boolean {
  return log.some((event) => event.type === 'run-started' && event.messageId === messageId && event.kept);
}

/** The end of the last turn that ended: nothing before it is withheld, even if a retry asks again in the same message. */
function releasedThrough(log: FinalView['log']): number {
  const ends: readonly string[] = ['run-completed', 'run-failed', 'run-cancelled'];
  return log.findLast(({ type }) => ends.includes(type))?.seq ?? 0;
}

function notesIn({ parts }: UIMessage): unknown[] {
  return parts.flatMap((part) => (part.type === 'data-note' ? [part.data] : []));
}

/** Whether a question follows a part that stays. */
function isTooEarly(chunks: readonly UIMessageChunk[]): boolean {
  const first = chunks.findIndex(({ type }) => type === 'data-note');
  const isQuestion = (chunk: UIMessageChunk) => chunk.type === 'tool-approval-request' && !chunk.isAutomatic;
  return first !== -1 && chunks.slice(first).some(isQuestion);
}
