import type { UpcomingApi } from '../../../client/inbox/upcoming-api.ts';
import type { Person, Question } from '../../../client/question.ts';
import type { visibleText } from '../../../client/visible-text.ts';
import type { ApprovalCard } from '../../card/approval-card.tsx';
import type { UpcomingWords } from '../../words/upcoming-words.ts';
import type { ApprovalInboxState } from '../use-approval-inbox.ts';

/** The settings of the surrounding page that `UpcomingCalls` uses. */
export type UpcomingCallsProps = {
  readonly question: Question;
  readonly inbox: Pick<ApprovalInboxState, 'approvals'>;
  readonly parseQuestion: UpcomingApi['parseQuestion'];
  /** Texts in another language or tone. */
  readonly given: Partial<UpcomingWords> | undefined;
  readonly nameOf: (person: Person) => string;
  readonly visibleText: typeof visibleText;
  readonly ApprovalCard: typeof ApprovalCard;
};
