import type { ReactNode } from 'react';
import type { AddedFields, Question, QuestionOption } from '../../client/question.ts';
import type { QuestionLines } from '../../protocol/approval/question-lines.ts';
import type { OpenForm } from '../card/answer/editing.ts';

/**
 * Where a part of a plugin is: in the card's heading, above the buttons, between Deny and Approve, or below the card in the inbox,
 * which is not part of the card.
 */
export type PartPlace = 'heading' | 'answer' | 'buttons' | 'below';

/** The options for which the buttons Approve and Deny stand. Without one, they are a plain approval or denial. */
export type Choices = {
  readonly primary?: QuestionOption | undefined;
  readonly denial?: QuestionOption | undefined;
};

/**
 * What a plugin adds to cards and to the inbox. A page that does not pass it to `CardPluginsProvider` has nothing of it.
 *
 * @source ADR 0056.16
 */
export type CardPlugin = {
  /** The name of the plugin. `data-plugin` of its lines. */
  readonly name: string;
  /** Sentences for the card, and for its row in the inbox. A screen reader announces them when they change. */
  readonly lines?: QuestionLines;
  /** Where the card has these sentences. Default: `answer`. */
  readonly linesAt?: 'heading' | 'answer';
  /** Sentences below the context of a question, outside the chat. They see what the details of the question say of plugins. */
  readonly contextLines?: QuestionLines;
  /** Parts of the card, which read its state with `useApprovalCard`, and of the inbox, with `useInbox`. */
  readonly parts?: { readonly [Place in PartPlace]?: (question: Question) => ReactNode };
  /** What the Approve button says with these fields. Default: what it says without them. */
  readonly approveLabel?: (fields: AddedFields, isEdited: boolean) => string | undefined;
  /** A form for arguments and values. Default: arguments are edited as JSON, and a question that needs a form can only be denied. */
  readonly openForm?: OpenForm;
  /** For a question with options. Default: it can only be denied. */
  readonly choices?: (question: Question) => Choices;
  /** True if its lines say why this person cannot answer: the card then does not say it. */
  readonly saysWhyNot?: (question: Question) => boolean;
};
