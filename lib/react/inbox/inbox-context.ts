'use client';

import { createContext, useContext } from 'react';
import type { InboxFilter } from '../../client/inbox/filter-questions.ts';
import type { Question } from '../../client/question.ts';
import type { OnStepUp } from '../card/answer/step-up-part.tsx';
import type { InboxWords } from '../words/inbox-words.ts';
import type { ApprovalInboxState } from './use-approval-inbox.ts';

/** What the parts of an `ApprovalInbox` share. */
export type InboxView = {
  readonly inbox: ApprovalInboxState;
  readonly words: InboxWords;
  /** Those that the filter lets through. */
  readonly questions: readonly Question[];
  readonly filter: InboxFilter;
  readonly setFilter: (filter: InboxFilter) => void;
  /** Ids of open questions that are shown. */
  readonly selected: ReadonlySet<string>;
  readonly select: (ids: readonly string[], isSelected: boolean) => void;
  /** Signs the person in again, where a question needs it. */
  readonly onStepUp?: OnStepUp;
  /** Where the chat of a question is, for whoever may see it. */
  readonly chatHref: (question: Question) => string | undefined;
};

/** Holds the view of the inbox above. */
export const InboxContext = createContext<InboxView | undefined>(undefined);

/** The inbox that a part stands in. @throws Error outside an `ApprovalInbox` */
export function useInbox(): InboxView {
  const view = useContext(InboxContext);
  if (view === undefined) throw new Error('A part of ApprovalInbox stands outside of one: put it inside.');
  return view;
}
