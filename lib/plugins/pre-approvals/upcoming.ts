import { type OpenQuestion, openQuestion } from '../../commands/answer/open-question.ts';
import { type Call, calls, currentAsker, type Turn } from '../../log/turn/turn.ts';
import {
  type AnswerRule,
  type ApprovalId,
  type Person,
  type Principal,
  personOf,
  type Question,
} from '../../protocol/index.ts';
import { mapInParallel } from '../../rights/map-in-parallel.ts';
import { ownRight } from '../../rights/right-to-answer.ts';
import type { Engine, TurnEngine } from '../../run/engine.ts';
import { expectedQuestion } from '../../run/question/expected-question.ts';
import { questionDue } from '../../run/question/question-due.ts';
import { mostUpcoming, type UpcomingCallJson } from './client/upcoming-json.ts';
import { onlyWhenDue } from './only-when-due.ts';
import { isAbout, shownDigest } from './shown.ts';
import { standingPreApproval } from './standing.ts';

/** A request about the calls that follow an open question in its step. @source ADR 0041 */
export type UpcomingRequest = { readonly principal: Principal; readonly approvalId: ApprovalId };

/**
 * A call whose question is not due yet, as the question would show it now, redacted.
 *
 * @source ADR 0041
 */
export type UpcomingCall = Pick<
  Question,
  'toolCallId' | 'toolName' | 'title' | 'input' | 'runsAs' | 'description' | 'risk' | 'riskReason' | 'history'
> & {
  /** A digest of what is shown here. A pre-approval names it. */
  readonly digest: string;
  /** Why the call cannot be pre-approved. Absent if it can. */
  readonly onlyWhenDue?: UpcomingCallJson['onlyWhenDue'];
  /** Its pre-approval, if it has one. `at`: epoch milliseconds. */
  readonly approved?: { readonly by: Person; readonly at: number };
};

/** How many calls are determined concurrently: a rule or a history may query a database. */
const determinedAtOnce = 8;

/** An upcoming call, and its events. */
export type Upcoming = { readonly call: Call; readonly rule: AnswerRule; readonly shown: UpcomingCall };

/**
 * The calls of the same step that will be asked about after an open question, in order. Contains those of the
 * next 100 whose questions this principal may answer.
 *
 * @throws CountersignError `not-found`; the refusals of a settled question
 * @source ADR 0041
 */
export async function readUpcoming(
  engine: Engine,
  { approvalId, principal }: UpcomingRequest,
): Promise<readonly UpcomingCall[]> {
  const { open } = await openQuestion(engine, approvalId, principal);
  return (await upcomingOf(await engine.forTurn(open), open, principal)).map(({ shown }) => shown);
}

/** @param engine the engine of the turn */
export async function upcomingOf(
  engine: TurnEngine,
  open: OpenQuestion['open'],
  principal: Principal,
): Promise<readonly Upcoming[]> {
  const due = upcomingCalls(open.turn).slice(0, mostUpcoming);
  await engine.pauses.ready();
  const found = await mapInParallel(due, determinedAtOnce, (call) => upcoming(engine, open, call, principal));
  return found.flatMap((each) => each ?? []);
}

/** The calls of a step that are asked about after the one that a turn waits for. @source ADR 0041 */
function upcomingCalls(turn: Turn): readonly Call[] {
  const { phase, waitsFor } = turn;
  if (phase !== 'suspended' || !waitsFor?.asked || waitsFor.requested.form !== undefined) return [];
  return calls(turn).filter((call) => {
    const { requested, step, asked, answered, granted, end } = call;
    const isSibling = requested.parent === waitsFor.requested.parent && step === waitsFor.step;
    const isSettled = end !== undefined || answered !== undefined || granted !== undefined;
    return isSibling && call !== waitsFor && !asked && !isSettled && requested.gate.type === 'ask';
  });
}

/** `undefined` if this principal may not answer the call's question, or it will not be asked. */
async function upcoming(
  engine: TurnEngine,
  { head, turn }: OpenQuestion['open'],
  call: Call,
  principal: Principal,
): Promise<Upcoming | undefined> {
  const { settings } = engine;
  const due = await questionDue(engine, turn, call, personOf(currentAsker(turn, principal)));
  const question = due.type === 'tool-failed' ? undefined : expectedQuestion(call, due, head);
  if (!question) return undefined;
  const rule = await ownRight(settings, principal, question);
  if (!rule) return undefined;
  const why = onlyWhenDue(engine, turn, call, question);
  const given = standingPreApproval(turn, call);
  const { toolCallId, toolName, title, input, runsAs, description, risk, riskReason, history } = question;
  const digest = shownDigest(question);
  const isGiven = given && !why && isAbout({ covers: given.approval.covers, risk: given.risk }, question);
  const approved = isGiven ? { by: given.approval.by, at: given.at } : undefined;
  const asked = { toolCallId, toolName, title, input, runsAs, description, risk, riskReason, history };
  return { call, rule, shown: { ...asked, digest, onlyWhenDue: why, approved } };
}
