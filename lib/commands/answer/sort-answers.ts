import type { Journal } from '../../log/journal.ts';
import { questionOf } from '../../log/turn/question.ts';
import { type Call, callOfQuestion, isCleared } from '../../log/turn/turn.ts';
import {
  type AnswerRequest,
  type ApprovalId,
  type ChatId,
  CountersignError,
  type EventBody,
  type OutputRequest,
  type Person,
  type Principal,
  type Question,
} from '../../protocol/index.ts';
import { changeable } from '../../rights/permissions.ts';
import type { EditOfVoter, ReplacementReason } from '../../run/call/replace-call.ts';
import type { Engine, TurnEngine } from '../../run/engine.ts';
import { checkAnswer } from './check-answer.ts';
import { decidedAnswer } from './choose-option.ts';
import { clientOutput } from './client-output.ts';
import { neverAsked, notAnOutput } from './refusals.ts';
import { ownVote } from './vote/own-vote.ts';
import type { Voted } from './vote/record-vote.ts';

/** Answers and outputs, sorted by what they can still change. */
export type SortedAnswers = {
  /** Events that settle the open question or the handed-over call; empty if nothing is new. */
  readonly events: readonly EventBody[];
  /** True for an approved client call without its output: it is recorded, but no run continues yet. */
  readonly awaitsOutput: boolean;
  /** Calls of the open turn that were settled before. */
  readonly standing: readonly Call[];
  /** Questions of earlier messages. */
  readonly stale: readonly Question[];
  /**
   * An approved question that no longer matches what would run: nothing is recorded, and it must be asked
   * again.
   */
  readonly changed?: ChangedQuestion;
  /** An answer that does not settle its question. @source ADR 0047 */
  readonly voted?: Voted;
  /** The engine that was used: that of the turn, if there is an approval or an output to check. */
  readonly engine: Engine;
};

/** @see SortedAnswers.changed */
export type ChangedQuestion = {
  readonly call: Call;
  readonly why: ReplacementReason;
  /** Present if a person who voted changed the arguments. */
  readonly edit?: EditOfVoter;
  readonly engine: TurnEngine;
};

/**
 * Checks answers and outputs against the log, before anything is written. The first answer of a question
 * counts. Later answers change nothing. An answer to a question that was never asked is an error.
 *
 * @throws CountersignError `not-found`, `forbidden`, `step-up-required`, `input-mismatch`, `invalid-request`, `expired`
 * @source H1, H10, T13
 */
export async function sortAnswers(
  flow: Engine,
  journal: Pick<Journal, 'turn' | 'head'>,
  request: {
    readonly chatId: ChatId;
    readonly principal: Principal;
    readonly by: Person;
    readonly via: string;
    readonly answers?: readonly AnswerRequest[];
    readonly outputs?: readonly OutputRequest[];
  },
): Promise<SortedAnswers> {
  const { turn, head } = journal;
  const events: EventBody[] = [];
  const standing: Call[] = [];
  const stale: Question[] = [];
  let approved: Call | undefined;
  let changed: ChangedQuestion | undefined;
  let voted: Voted | undefined;
  let ofTurn: TurnEngine | undefined;
  const judging = async () => {
    ofTurn ??= await flow.forTurn(journal, request.principal);
    return ofTurn;
  };

  for (const [approvalId, given] of firstById(request.answers ?? [])) {
    const call = callOfQuestion(turn, approvalId);
    const question = call ? questionOf(call, head) : await flow.store.question(approvalId);
    if (!question || question.chatId !== request.chatId) throw neverAsked(approvalId);
    if (!call) stale.push(question);
    else if (turn.waitsFor !== call || call.answered || call.withdrawn) standing.push(call);
    else {
      const answer = decidedAnswer(question, given);
      const vote = ownVote(flow.settings, call, request.principal, answer);
      if (vote) {
        voted = { call, given: vote };
        continue;
      }
      // A denial needs no settings, so it counts even if `prepareCall` fails.
      const engine = answer.approved ? await judging() : flow;
      const outcome = await checkAnswer(engine, { head, call, question }, answer, request);
      if (outcome.why) changed = { ...outcome, call, engine: await judging() };
      else if (outcome.vote) voted = { call, body: outcome.vote };
      else {
        events.push(...outcome.events);
        if (answer.approved) approved = call;
      }
    }
  }

  /** The value of a form may also come as the output of its call. `undefined` if its question is not open. @source T13 */
  async function filledIn(
    call: Call,
    { output, errorText }: OutputRequest,
  ): Promise<EventBody[] | undefined> {
    const { toolCallId } = call.requested;
    const question = questionOf(call, head);
    const isNew = !events.some((event) => 'toolCallId' in event && event.toolCallId === toolCallId);
    if (!question || turn.waitsFor !== call || call.answered || call.withdrawn || !isNew) return undefined;
    if (errorText !== undefined) throw notAnOutput(question.id, errorText);
    const answer = { approvalId: question.id, approved: true, value: output };
    const outcome = await checkAnswer(await judging(), { head, call, question }, answer, request, true);
    if (outcome.why) changed = { call, why: outcome.why, engine: await judging() };
    return outcome.events ?? [];
  }

  for (const output of request.outputs ?? []) {
    const call = turn.calls.get(output.toolCallId);
    if (call?.asked?.needsValue) {
      const given = await filledIn(call, output);
      if (given) events.push(...given);
      else if (call.answered?.asOutput) standing.push(call);
      continue;
    }
    if (call?.requested.executor !== 'client') continue;
    if (turn.waitsFor === call && !call.end && (call === approved || isCleared(call))) {
      // A right to answer is none to run a call: that takes the right to change the chat.
      await changeable(flow.settings, request.principal, request.chatId, head);
      events.push(await clientOutput(await judging(), call, output));
      approved = undefined;
    } else if (call.end && call.suspended) standing.push(call);
  }
  const awaitsOutput = approved?.requested.executor === 'client';
  if (events.length > 0 || changed || voted?.body) await assertInTime(flow, turn.waitsFor);
  return {
    events,
    awaitsOutput,
    standing,
    stale,
    engine: ofTurn ?? flow,
    ...(changed && { changed }),
    ...(voted && { voted }),
  };
}

/** The deadline may have passed while rules and functions of tools were called. @throws CountersignError `expired` */
async function assertInTime({ clock }: Engine, call: Call | undefined): Promise<void> {
  if (!call?.asked || call.answered) return;
  const { approvalId, deadline } = call.asked;
  if (deadline === undefined || deadline > (await clock.sure())) return;
  throw new CountersignError('expired', `Question ${approvalId} has expired.`, { approvalId });
}

function firstById(answers: readonly AnswerRequest[]): Map<ApprovalId, AnswerRequest> {
  return new Map(answers.toReversed().map((answer) => [answer.approvalId, answer]));
}
