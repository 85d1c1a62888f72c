import type { UpcomingApi } from '../../../client/inbox/upcoming-api.ts';
import type { Person, Question } from '../../../client/question.ts';
import type { visibleText } from '../../../client/visible-text.ts';
import type { UpcomingWords } from '../../words/upcoming-words.ts';
import type { ApprovalInboxState } from '../use-approval-inbox.ts';
import type { CallEvidence } from './call-evidence.tsx';

/** The settings of the surrounding page that `UpcomingCalls` uses. */
export type UpcomingCallsProps = {
  readonly question: Question;
  readonly inbox: Pick<ApprovalInboxState, 'approvals'>;
  readonly parseQuestion: UpcomingApi['parseQuestion'];
  /** Texts in another language or tone. */
  readonly given: Partial<UpcomingWords> | undefined;
  readonly nameOf: (person: Person) => string;
  readonly visibleText: typeof visibleText;
  readonly CallEvidence: typeof CallEvidence;
};
