'use client';

import { createContext, useContext } from 'react';
import type { InboxFilter } from '../../client/inbox/filter-questions.ts';
import type { ApprovalInboxState } from '../../client/inbox/inbox.ts';
import type { Question, Repeat } from '../../client/question.ts';
import type { OnStepUp } from '../card/answer/use-step-up.ts';
import type { InboxWords } from '../words/inbox-words.ts';

/** Where the links of an inbox lead. Default: no links, and no titles. */
export type InboxLinks = {
  /** Signs the person in again, if a question needs it: see `ApprovalCard`. */
  readonly onStepUp: OnStepUp | undefined;
  /** The address of a question's chat; `undefined` for a chat that this person may not see. */
  readonly chatHref: (question: Question) => string | undefined;
  /** The title of a question's chat. Must return equal texts for equal questions. */
  readonly chatTitle: (question: Question) => string | undefined;
  /** The address of the page of one question (`QuestionSheet`). */
  readonly questionHref: (question: Question) => string | undefined;
  /** The address of an earlier call that is identical to a question's: see `ApprovalCard`. */
  readonly repeatHref: (repeat: Repeat) => string | undefined;
};

/** What the parts of an `ApprovalInbox` share. */
export type InboxView = InboxLinks & {
  readonly inbox: ApprovalInboxState;
  readonly words: InboxWords;
  /** The questions that match the filter, in its order. */
  readonly questions: readonly Question[];
  readonly filter: InboxFilter;
  readonly setFilter: (filter: InboxFilter) => void;
  /** Ids of open questions that are shown. */
  readonly selected: ReadonlySet<string>;
  readonly select: (ids: readonly string[], isSelected: boolean) => void;
  /** The question whose card is shown next to the list. It stays shown after it was settled. */
  readonly opened: Question | undefined;
  /** Shows a question next to the list, or none. The focus moves to its card, or back to its row. */
  readonly open: (id: string | undefined) => void;
  /** True while the selected questions are shown together for a batch answer. */
  readonly isReviewing: boolean;
  readonly setReviewing: (isReviewing: boolean) => void;
  /** How questions with identical rows differ, as text, by id. */
  readonly differences: ReadonlyMap<string, string>;
  /** Epoch milliseconds, updated twice a minute. */
  readonly now: number | undefined;
  /** Ids of elements: of the part next to the list, and of the button in a question's row. */
  readonly ids: { readonly detail: string; readonly row: (questionId: string) => string };
};

/** Holds the view of the inbox above. */
export const InboxContext = createContext<InboxView | undefined>(undefined);

/** The surrounding inbox. @throws Error outside an `ApprovalInbox` */
export function useInbox(): InboxView {
  const view = useContext(InboxContext);
  if (view === undefined) throw new Error('A part of ApprovalInbox stands outside of one: put it inside.');
  return view;
}
