import type { AnsweredQuestion } from '../../commands/answer/answer-question.ts';
import type { PreviewedCall, PreviewRequest } from '../../commands/answer/preview-question.ts';
import type { OutcomeRequest, ResolvedOutcome } from '../../commands/resolve-outcome.ts';
import type { AnswerRequest, ApprovalId, Page, QuestionState } from '../../protocol/index.ts';
import type { QuestionDetails, QuestionView } from '../../rights/question-rights.ts';
import type { ApprovalFeed } from '../../views/questions/feed.ts';
import type { QuestionFilter } from '../question-filter.ts';
import type { By } from '../request.ts';

/** Questions of all chats. */
export type Approvals = {
  /**
   * The questions that this principal may answer, oldest first, with the fields of the filter that are given. The cost is
   * that of the list without a filter, up to the last item of the page; `requestedBefore` ends it.
   *
   * With `settled`: those that are no longer open, most recently asked first. With a filter, a page looks at
   * most at the next 200 questions that this principal may see (`searched`). It can be short, or empty, and
   * still have a cursor.
   *
   * @param request.state default `open`
   * @throws CountersignError `invalid-request` for another state
   * @source H9
   */
  list(
    request: By & QuestionFilter & { state?: QuestionState | 'settled'; cursor?: string; limit?: number },
  ): Promise<Page<QuestionView> & { readonly searched?: number }>;
  read(request: By & { approvalId: ApprovalId }): Promise<QuestionDetails>;
  /**
   * Questions that opened, settled, or say something else of a plugin, after a position in the feed, until cancelled.
   *
   * @param request.after a position from a feed of this principal, or `'0'` to start with the oldest. Default:
   * from now on
   * @throws CountersignError `invalid-request` for any other position
   * @source H11
   */
  feed(request: By & { after?: string }): Promise<ApprovalFeed>;
  /** Answers a question from outside the chat; the run continues without a reader. @source H10 */
  answer(
    request: By & Omit<AnswerRequest, 'shownInput'> & { readonly via: string },
  ): Promise<AnsweredQuestion>;
  /**
   * What an open question shows for edited arguments, for a person who may approve them; nothing is recorded.
   * Without `input`, it uses the question's own arguments, and an effect older than a minute is determined
   * again and recorded.
   *
   * @throws CountersignError `not-found`; `forbidden`; `step-up-required`; `invalid-request` if the arguments do not fit; as
   * `answer` for a question that is not open
   * @source ADR 0040
   */
  preview(request: PreviewRequest): Promise<PreviewedCall>;
  /**
   * Records the outcome of a call whose outcome is unknown, as determined by a person who may answer its
   * question. The first outcome stands. It reaches the model with the chat's next message.
   *
   * @throws CountersignError `not-found`; `forbidden`; `invalid-request` if the outcome is already known;
   * `run-active`; `already-answered` with the standing `resolution`
   * @source ADR 0019
   */
  resolveOutcome(request: OutcomeRequest): Promise<ResolvedOutcome>;
};
