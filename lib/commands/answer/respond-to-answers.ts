import type { Journal } from '../../log/journal.ts';
import type { Call } from '../../log/turn/turn.ts';
import { type ChatId, CountersignError, isSameJson, type Question, toJson } from '../../protocol/index.ts';
import { readable } from '../../rights/permissions.ts';
import type { Engine } from '../../run/engine.ts';
import { runStart } from '../../run/run-start.ts';
import type { FlowStream } from '../../views/flow-stream.ts';
import type { Streams } from '../../views/streams.ts';
import { currentHead } from '../expire.ts';
import type { RespondRequest } from '../requests.ts';
import { askAgain } from './ask-again.ts';
import { recordPostponed } from './record-postponed.ts';
import { type ChangedQuestion, type NewAnswers, takeAnswers } from './take-answers.ts';

/**
 * Takes answers and outputs, and opens the response that continues with them: the same one for repeated answers.
 *
 * @throws CountersignError `not-found`, `superseded`, `invalid-request`; Conflict
 * @source H1, H8, H10
 */
export async function respondToAnswers(
  engine: Engine,
  streams: Streams,
  request: RespondRequest,
): Promise<FlowStream | undefined> {
  const { chatId, principal } = request;
  const head = await readable(
    engine.settings,
    principal,
    chatId,
    await currentHead(engine, principal, chatId),
  );
  const journal = await engine.openJournal(head);
  const taken = await takeAnswers(engine, journal, request);
  switch (taken.type) {
    case 'settles':
    case 'awaits-output': {
      const response = await streamAnswered(engine, streams, { request, journal, taken });
      reportUnused(engine, journal, request);
      return response;
    }
    case 'postponed': {
      const seq = await recordPostponed(engine, journal, taken);
      return seq === undefined ? undefined : streams.vote(head, principal, { seq, until: request.until });
    }
    case 'ask-again':
      return streamAskedAgain(streams, request, journal, taken);
    case 'nothing-new': {
      const emitFrom = earliestPlace(taken.settled);
      if (emitFrom === undefined) throw nothingToAnswer(chatId, taken.stale);
      return streams.replay(head, principal, { emitFrom });
    }
  }
}

function nothingToAnswer(chatId: ChatId, [old]: readonly Question[]): CountersignError {
  if (!old) {
    const message = 'This request holds no new message, no answer and no output that is waited for.';
    return new CountersignError('invalid-request', message, { chatId });
  }
  const message = `Question ${old.id} belongs to an earlier message of this chat.`;
  return new CountersignError('superseded', message, { approvalId: old.id });
}

/** The place where the response to the earliest of these calls begins: after it was asked or handed over. */
function earliestPlace(settled: readonly Call[]): number | undefined {
  const places = settled.flatMap(({ suspended }) => (suspended ? [suspended.seq + 1] : []));
  return places.length > 0 ? Math.min(...places) : undefined;
}

/** Records the answers and continues the turn, in one append. @throws Conflict if the question was settled in between */
async function streamAnswered(
  engine: Engine,
  streams: Streams,
  {
    request: { principal, until },
    journal,
    taken: { type, run, events, records },
  }: { readonly request: RespondRequest; readonly journal: Journal; readonly taken: NewAnswers },
): Promise<FlowStream> {
  const { head, nextSeq: emitFrom } = journal;
  journal.keep(records);
  if (type === 'awaits-output') {
    await journal.commit(run.runId, ...events);
    return streams.replay(head, principal, { emitFrom });
  }
  await engine.resume(journal, run, runStart(journal, principal), ...events);
  return streams.response(head, principal, { runId: run.runId, emitFrom, until, upTo: journal.head.seq });
}

/** What a page sends with an answer is not dropped in silence. @source ADR 0030 */
function reportUnused({ logger }: Engine, { turn }: Journal, { chatId, callOptions }: RespondRequest): void {
  if (callOptions === undefined || isSameJson(toJson(callOptions), turn.callOptions)) return;
  logger.warn('The call options of an answer were not used: its turn keeps those that it began with.', {
    chatId,
  });
}

/** The response to an approval of a question that has changed: its withdrawal, and the new question. @source ADR 0020 */
async function streamAskedAgain(
  streams: Streams,
  { principal, until }: RespondRequest,
  journal: Journal,
  changed: ChangedQuestion,
): Promise<FlowStream> {
  const emitFrom = journal.nextSeq;
  const { runId } = await askAgain(changed.engine, journal, changed, principal);
  return streams.response(journal.head, principal, { runId, emitFrom, until, upTo: journal.head.seq });
}
