import { isPlainApproval } from '../protocol/approval/plain-approval.ts';
import type { Principal, Question } from '../protocol/index.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { isGated } from '../settings/plugin/gates.ts';
import { isPluginTool } from '../settings/tools/plugin-tools.ts';
import { detailsOf, toolNamed } from '../settings/tools/tool-details.ts';
import { type RightsSettings, withSharedGivers } from './givers.ts';
import { mapInParallel } from './map-in-parallel.ts';
import { mayRead, mayWatch } from './permissions.ts';
import type { QuestionRights } from './question-rights.ts';
import { hasAnswered, withoutAnswers } from './recorded-answers.ts';
import { rightToAnswer } from './right-to-answer.ts';
import { editedBy, ruledQuestion } from './ruled-question.ts';
import { shownEvidence, whoMayAnswer } from './shown-evidence.ts';
import { stepUpFor } from './step-up.ts';

/** How many questions are evaluated concurrently: a rule may query a database, and a chat may have many questions. */
const judgedAtOnce = 8;

export const noRights: QuestionRights = { mayAnswer: false, mayEdit: false, mayRemember: false };

/** All rights of this principal for a question, and what it is shown with it. */
export async function rightsTo(
  given: RightsSettings,
  principal: Principal,
  question: Question,
): Promise<QuestionRights> {
  const settings = withSharedGivers(given);
  const shown = await shownEvidence(settings, principal, question);
  const ruled = ruledQuestion(settings, question);
  const { right, hasAnswered: isGiven } = await rightOrAnswer(settings, principal, ruled);
  if (!right) return { ...noRights, ...whoMayAnswer(settings, principal, ruled), ...shown };
  if (isGiven) return { ...noRights, hasAnswered: true, ...shown };
  const { toolName, needsValue, waitsIn } = question;
  const { reasonOnDeny } = detailsOf(settings, toolName);
  const stepUp = stepUpFor(settings, principal, toolName);
  const isFilledIn = needsValue === true || waitsIn !== undefined;
  return {
    mayAnswer: true,
    // What a person fills in is not an edit of the arguments, so four eyes allow it.
    mayEdit:
      isEditable(settings, question) &&
      (isFilledIn || (await rightToAnswer(settings, principal, editedBy(principal, ruled))) !== undefined),
    mayRemember: mayRemember(settings, principal, question),
    onBehalfOf: right.onBehalfOf,
    stepUp,
    reasonOnDeny: reasonOnDeny || undefined,
    ...shown,
  };
}

/** The right of this principal, and whether an answer has used it. Who has answered still sees the question. @source ADR 0056 */
async function rightOrAnswer(settings: RightsSettings, principal: Principal, question: Question) {
  const isGiven = hasAnswered(settings, principal, question);
  return {
    hasAnswered: isGiven,
    right: await rightToAnswer(settings, principal, isGiven ? withoutAnswers(question) : question),
  };
}

/** A client runs the arguments that its part shows, whatever was approved. */
function isEditable(settings: FlowSettings, question: Question): boolean {
  return question.executor === 'server' && isKnown(settings, question) && hasPlainApproval(question);
}

/** Whether an approval of this question may be remembered, if this principal may answer it. @source ADR 0015 */
function mayRemember(settings: FlowSettings, principal: Principal, question: Question): boolean {
  return (settings.plugins ?? []).some(
    ({ offers, standing }) =>
      standing && mayStand(settings, question) && offers?.(settings, principal, question),
  );
}

/**
 * Whether an earlier approval may stand for this answer, and this one for later ones: one person says yes or no.
 *
 * @source ADR 0056
 */
export function mayStand(settings: FlowSettings, question: Question): boolean {
  const { toolName, executor, waitsIn, needsValue } = question;
  const isOurs = executor !== 'provider' && isKnown(settings, question);
  const isPlain = hasPlainApproval(question) && !needsValue && !waitsIn;
  const isOnes = !isGated(settings, question.plugins) && !isPluginTool(toolNamed(settings, toolName));
  return isOurs && isPlain && isOnes;
}

/** `prepareCall` may have its own tools. Whether this one still exists is checked at the answer. */
function isKnown(settings: FlowSettings, { waitsIn, toolName }: Question): boolean {
  return (
    waitsIn !== undefined || settings.prepareCall !== undefined || toolNamed(settings, toolName) !== undefined
  );
}

/** Without an option that approves the proposed arguments, nothing but one of the options can be approved. */
function hasPlainApproval({ options }: Question): boolean {
  return !options || options.some(isPlainApproval);
}

/** The rights of this principal for each of these questions, in the same order. Each question is evaluated once. */
export function rightsToEach(
  settings: RightsSettings,
  principal: Principal,
  questions: readonly Question[],
): Promise<QuestionRights[]> {
  const shared = withSharedGivers(settings);
  return mapInParallel(questions, judgedAtOnce, (question) => rightsTo(shared, principal, question));
}

/** Whether this principal may see a question that it has no right to answer: through the question's chat, or by watching it. */
async function isSharedWith(
  settings: FlowSettings,
  principal: Principal,
  question: Question,
): Promise<boolean> {
  const chat = { id: question.chatId, ownerId: question.ownerId };
  return (await mayRead(settings, principal, chat)) || mayWatch(settings, principal, question);
}

/** Whether this principal may see a question. To others, it looks as if it did not exist. */
export async function isVisible(
  settings: RightsSettings,
  principal: Principal,
  question: Question,
): Promise<boolean> {
  const { right } = await rightOrAnswer(settings, principal, question);
  return right !== undefined || isSharedWith(settings, principal, question);
}

/** The rights of a principal who may see a question: to answer, through its chat, or to watch. */
export async function visibleRights(
  settings: RightsSettings,
  principal: Principal,
  question: Question,
): Promise<QuestionRights | undefined> {
  const rights = await rightsTo(settings, principal, question);
  if (rights.mayAnswer || rights.hasAnswered) return rights;
  return (await isSharedWith(settings, principal, question)) ? rights : undefined;
}

export function visibleRightsToEach(
  settings: RightsSettings,
  principal: Principal,
  questions: readonly Question[],
): Promise<(QuestionRights | undefined)[]> {
  const shared = withSharedGivers(settings);
  return mapInParallel(questions, judgedAtOnce, (question) => visibleRights(shared, principal, question));
}
