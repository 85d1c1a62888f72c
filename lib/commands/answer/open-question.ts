import type { ApprovalId, Principal, Question } from '../../protocol/index.ts';
import { isVisible } from '../../rights/rights-to.ts';
import type { Engine } from '../../run/engine.ts';
import { openTurnOf } from '../../run/question/open-turn.ts';
import { settledError } from './answer-question.ts';
import { neverAsked } from './refusals.ts';

export type OpenQuestion = {
  readonly question: Question;
  readonly open: NonNullable<Awaited<ReturnType<typeof openTurnOf>>>;
};

/** An open question that this principal may see. @throws CountersignError `not-found`; the refusals of a settled question */
export async function openQuestion(
  engine: Engine,
  approvalId: ApprovalId,
  principal: Principal,
): Promise<OpenQuestion> {
  const { store, settings } = engine;
  const question = await store.questions.read(approvalId);
  if (!question || !(await isVisible(settings, principal, question))) throw neverAsked(approvalId);
  const open = question.state === 'open' ? await openTurnOf(engine, question) : undefined;
  if (!open) throw settledError((await store.questions.read(approvalId)) ?? question);
  return { question, open };
}
