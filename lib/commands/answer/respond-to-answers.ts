import type { Journal } from '../../log/journal.ts';
import type { Call } from '../../log/turn/turn.ts';
import { CountersignError, isSameJson, personOf, toJson } from '../../protocol/index.ts';
import { readable } from '../../rights/permissions.ts';
import type { Engine } from '../../run/engine.ts';
import type { FlowStream } from '../../views/flow-stream.ts';
import type { Streams } from '../../views/streams.ts';
import { currentHead } from '../expire.ts';
import type { RespondRequest } from '../requests.ts';
import { askAgain } from './ask-again.ts';
import { submitAnswered } from './continue-turn.ts';
import { type ChangedQuestion, type SortedAnswers, sortAnswers } from './sort-answers.ts';
import { recordVote } from './vote/record-vote.ts';

/**
 * Takes answers and outputs of a chat, and opens the response that continues with them. Repeated answers get
 * the same response again.
 *
 * @throws CountersignError `not-found`, `superseded`, `invalid-request`
 * @throws Conflict
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
  const sorted = await sortAnswers(engine, journal, { ...request, by: personOf(principal) });
  if (sorted.changed) return streamAskedAgain(streams, request, journal, sorted.changed);
  if (sorted.voted) {
    const seq = await recordVote(engine, journal, sorted.voted);
    return seq === undefined ? undefined : streams.vote(head, principal, { seq, until: request.until });
  }
  if (sorted.events.length > 0) {
    const response = await streamAnswered(streams, request, journal, sorted);
    reportUnused(engine, journal, request);
    return response;
  }

  const place = earliestPlace(sorted.standing);
  if (place !== undefined) return streams.replay(head, principal, { emitFrom: place });
  const [old] = sorted.stale;
  if (old) {
    throw new CountersignError(
      'superseded',
      `Question ${old.id} belongs to an earlier message of this chat.`,
      {
        approvalId: old.id,
      },
    );
  }
  throw new CountersignError(
    'invalid-request',
    'This request holds no new message, no answer and no output that is waited for.',
    { chatId },
  );
}

/** The place where the response to the earliest of these calls begins: after it was asked or handed over. */
function earliestPlace(standing: readonly Call[]): number | undefined {
  const places = standing.flatMap(({ suspended }) => (suspended ? [suspended.seq + 1] : []));
  return places.length > 0 ? Math.min(...places) : undefined;
}

async function streamAnswered(
  streams: Streams,
  request: RespondRequest,
  journal: Journal,
  sorted: SortedAnswers,
): Promise<FlowStream> {
  const { head } = journal;
  const emitFrom = journal.nextSeq;
  if (sorted.awaitsOutput) {
    await submitAnswered(journal, request, sorted);
    return streams.replay(head, request.principal, { emitFrom });
  }
  const runId = await submitAnswered(journal, request, sorted);
  const upTo = journal.head.seq;
  return streams.response(head, request.principal, { runId, emitFrom, until: request.until, upTo });
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
  { call, why, edit, engine }: ChangedQuestion,
): Promise<FlowStream> {
  const emitFrom = journal.nextSeq;
  const { runId } = await askAgain(engine, journal, { call, why, edit }, principal);
  return streams.response(journal.head, principal, { runId, emitFrom, until, upTo: journal.head.seq });
}
