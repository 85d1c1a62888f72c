import type { EarlierCall, Person, Question, Repeat } from '../protocol/index.ts';
import type { ContextJson } from '../protocol/wire/question-context.ts';
import type { ResolutionJson } from '../protocol/wire/resolution.ts';
import type { StepUp } from '../settings/tools/tool-settings.ts';

/**
 * What a principal may do with a question. A principal that may not answer may do nothing.
 *
 * @source H13
 */
export type QuestionRights = {
  readonly mayAnswer: boolean;
  /** Whose right this person would use: of somebody who delegated it. Absent with a right of their own. @source ADR 0049 */
  readonly onBehalfOf?: Person;
  /** May approve edited arguments. True only for tools of the flow, not for those of a provider. */
  readonly mayEdit: boolean;
  /** May remember the approval. @source ADR 0015 */
  readonly mayRemember: boolean;
  /** This person has voted on the open question, so `mayAnswer` is false. @source ADR 0047 */
  readonly hasVoted?: true;
  /** Who may answer, for a person who may not, if the tool provides this text. */
  readonly whoMayAnswer?: string;
  /** Present when the tool has `stepUp`. `needed`: this principal must sign in again before answering. */
  readonly stepUp?: StepUp & { readonly needed: boolean };
  /** Present when the tool asks for a reason with each denial. */
  readonly reasonOnDeny?: true;
  /**
   * The same call ran or was approved within the previous day. The chat is included only for people who may
   * see it.
   *
   * @source ADR 0021
   */
  readonly repeatOf?: Repeat;
  /**
   * Calls of the same turn that failed before. People who may not see the chat learn which tools failed, but not why.
   *
   * @source S4
   */
  readonly earlier?: readonly EarlierCall[];
};

/** Properties of an open question that are the same for everybody. */
export type QuestionMarks = {
  readonly outdated?: true;
  /** Present while the tool is paused. Nobody can approve then, but denying is possible. */
  readonly paused?: { readonly reason: string };
};

/**
 * A question, and what this principal may do with it.
 *
 * `outdated`: the tool has changed since the question was asked. The question can be denied; if it is
 * approved, the person is asked again.
 */
export type QuestionView = Omit<Question, 'repeatOf' | 'earlier'> & QuestionRights & QuestionMarks;

/**
 * One question. `eligible`: people of the directory who may answer it, at most 20; `othersEligible` if there may be more. `inputSchema` is the JSON Schema for edited arguments, present with `mayEdit`. `context` says why an open
 * question is asked. `outcome` is what came of the call of an approved question, absent if it did not run. `mayRecord`: it was
 * recorded as unknown, and this principal may record what it is. `resolution` is what became known then.
 */
export type QuestionDetails = QuestionView & {
  readonly inputSchema?: unknown;
  readonly context?: ContextJson;
  readonly eligible?: readonly Person[];
  readonly othersEligible?: true;
  readonly outcome?: Repeat['outcome'];
  readonly mayRecord?: true;
  readonly resolution?: ResolutionJson;
};
