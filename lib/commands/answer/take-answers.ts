import type { Journal } from '../../log/journal.ts';
import type { RecordWrite } from '../../log/store/index.ts';
import { type Call, isCleared } from '../../log/turn/turn.ts';
import {
  CountersignError,
  type EventBody,
  type Principal,
  personOf,
  type RunId,
} from '../../protocol/index.ts';
import { changeable } from '../../rights/permissions.ts';
import type { Engine, TurnEngine } from '../../run/engine.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { answeredBefore } from './answer-steps.ts';
import { checkAnswer } from './check-answer.ts';
import { clientOutput } from './client-output.ts';
import type { AskAgain, Outcome, Postponed, Settles } from './outcome.ts';
import { type AnswersRequest, type OpenAnswer, type SortedAnswers, sortAnswers } from './sort-answers.ts';

export type TakenAnswers =
  | NewAnswers
  | (Postponed & { readonly call: Call })
  | ChangedQuestion
  | ({ readonly type: 'nothing-new' } & Pick<SortedAnswers, 'settled' | 'stale'>);

/**
 * Events that settle the open question, or end the call that a client executes. `awaits-output`: the call was approved, but its
 * client has not sent the output, so no run continues yet.
 */
export type NewAnswers = {
  readonly type: 'settles' | 'awaits-output';
  readonly events: readonly EventBody[];
  readonly records: readonly RecordWrite[];
  /** The run that continues. It reuses the settings of the turn, if they were needed. */
  readonly run: { readonly runId: RunId; readonly principal: Principal; readonly settings?: FlowSettings };
};

/** A question that must be asked again, with the engine of its turn. */
export type ChangedQuestion = AskAgain & { readonly call: Call; readonly engine: TurnEngine };

type Taking = {
  readonly flow: Engine;
  readonly journal: Pick<Journal, 'turn' | 'head'>;
  readonly request: AnswersRequest;
  readonly ofTurn: () => Promise<TurnEngine>;
  readonly settings: () => FlowSettings | undefined;
};

/**
 * Checks answers and outputs. Nothing is written.
 *
 * @throws CountersignError `not-found`, `expired`; as `checkAnswer`
 * @source H10
 */
export async function takeAnswers(
  flow: Engine,
  journal: Taking['journal'],
  request: AnswersRequest,
): Promise<TakenAnswers> {
  let made: TurnEngine | undefined;
  const ofTurn = async () => {
    made ??= await flow.forTurn(journal);
    return made;
  };
  const taking = { flow, journal, request, ofTurn, settings: () => made?.prepared };
  const sorted = await sortAnswers(flow, journal, request);
  const { open } = sorted;
  if (!open) return settle(taking, sorted, { events: [], records: [] });
  const { call } = open;
  const outcome = await outcomeOf(taking, open);
  if (outcome.type === 'postponed' && outcome.seq !== undefined) return { ...outcome, call };
  const taken = await takenAs(taking, sorted, outcome, call);
  await assertInTime(flow, call);
  return taken;
}

async function takenAs(
  taking: Taking,
  sorted: SortedAnswers,
  outcome: Outcome,
  call: Call,
): Promise<TakenAnswers> {
  switch (outcome.type) {
    case 'settles':
      return settle(taking, sorted, outcome);
    case 'postponed':
      return { ...outcome, call };
    case 'ask-again':
      return { ...outcome, call, engine: await taking.ofTurn() };
  }
}

/** Adds the output of the call that waits for its client: cleared before, or by an answer of the same request. */
async function settle(
  taking: Taking,
  { open, outputs, settled, stale }: SortedAnswers,
  { events: answered, records }: Pick<Settles, 'events' | 'records'>,
): Promise<TakenAnswers> {
  const { flow, journal, request, ofTurn, settings } = taking;
  const { turn, head } = journal;
  const approved = open?.answer.approved ? open.call : undefined;
  const isDue = (call: Call) => turn.waitsFor === call && !call.end && (call === approved || isCleared(call));
  const sent = outputs.find(({ call }) => isDue(call));
  // A right to answer is none to run a call: that takes the right to change the chat.
  if (sent) await changeable(flow.settings, request.principal, request.chatId, head);
  const ended = sent ? [await clientOutput(await ofTurn(), sent.call, sent.output)] : [];
  const events = [...answered, ...ended];
  if (events.length === 0) return { type: 'nothing-new', settled, stale };
  const { principal } = request;
  const run = { runId: flow.ids.run(), principal, settings: settings() };
  const awaitsOutput = approved?.requested.executor === 'client' && !sent;
  return { type: awaitsOutput ? 'awaits-output' : 'settles', events, records, run };
}

/** A denial needs no settings, so it counts even if `prepareCall` fails. */
async function outcomeOf({ flow, journal, request, ofTurn }: Taking, open: OpenAnswer): Promise<Outcome> {
  const { principal, via } = request;
  const { answer, ...question } = open;
  for (const before of answeredBefore) {
    const repeated = before(flow.settings, open.call, principal, answer);
    if (repeated) return repeated;
  }
  const asked = { ...question, head: journal.head, principal, by: personOf(principal), via };
  return answer.approved
    ? checkAnswer({ ...asked, answer, engine: await ofTurn() })
    : checkAnswer({ ...asked, answer, engine: flow });
}

/** The deadline may have passed while rules and functions of tools were called. @throws CountersignError `expired` */
async function assertInTime({ clock }: Engine, { asked }: Call): Promise<void> {
  const { approvalId, deadline } = asked ?? {};
  if (deadline === undefined || deadline > (await clock.sure())) return;
  throw new CountersignError('expired', `Question ${approvalId} has expired.`, { approvalId });
}
