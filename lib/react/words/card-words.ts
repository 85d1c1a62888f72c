import { createElement, Fragment, type ReactNode } from 'react';
import { type EditWords, editWords } from '../../client/words/edit-words.ts';
import { type QuestionWords, questionWords } from '../../client/words/question-words.ts';
import { type DeliveryWords, deliveryWords } from './delivery-words.ts';
import { type ToolWords, toolWords } from './tool-words.ts';
import { useSection } from './use-section.ts';

/** The texts of the approval card. */
export type ApprovalCardWords = DeliveryWords &
  EditWords &
  QuestionWords & {
    /** Which tool asks. @param tool the tool's title and name @param person who asked the assistant */
    asker(tool: ReactNode, person: ReactNode): ReactNode;
  };

/** All texts of the approval card and the tool card. Pass your own for another language or tone. */
export type CardWords = ApprovalCardWords & ToolWords;

/** Plain English for the approval card. */
export const approvalCardWords: ApprovalCardWords = {
  ...deliveryWords,
  ...editWords,
  ...questionWords,

  asker(tool, person) {
    return createElement(Fragment, null, 'The assistant wants to use ', tool, person && ' for ', person);
  },
};

/** Plain English for the approval card and the tool card. Pass your own to `WordsProvider`. */
export const defaultCardWords: CardWords = { ...toolWords, ...approvalCardWords };

/** The texts of the approval card. */
export const useCardWords = (): ApprovalCardWords => useSection('card', approvalCardWords);

/** The texts of the approval card and the tool card. */
export const useToolWords = (): CardWords => useSection('card', defaultCardWords);
