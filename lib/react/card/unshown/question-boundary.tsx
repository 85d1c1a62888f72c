'use client';

import type { ReactNode } from 'react';
import type { NewAnswer, Question } from '../../../client/question.ts';
import { useCardWords } from '../../words/card-words.ts';
import { useAnswering } from '../answer/use-answering.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Unshown } from './unshown.tsx';

type Props = {
  readonly question: Question;
  /** Called with a denial. Refuses by throwing or rejecting. */
  onAnswer(answer: NewAnswer): unknown;
};

/**
 * A question that could not be shown does not hide the others, and can still be denied: its content comes from models and other programs,
 * which must not be able to make a page unusable.
 */
export function QuestionBoundary({ question, onAnswer, children }: Props & { readonly children: ReactNode }) {
  return (
    <ErrorBoundary
      of={`${question.id} ${question.state}`}
      fallback={() => <UnshownQuestion question={question} onAnswer={onAnswer} />}
    >
      {children}
    </ErrorBoundary>
  );
}

/** The plain JSON of a question, with Deny if this person may answer it. Uses nothing that lays out content. */
export function UnshownQuestion({ question, onAnswer }: Props) {
  const { progress, refusal, answer } = useAnswering(onAnswer, undefined);
  const words = useCardWords();
  const mayDeny = question.state === 'open' && question.mayAnswer;
  return (
    <Unshown value={question}>
      {refusal !== undefined && <p role="alert">{refusal}</p>}
      {mayDeny && (
        <button
          type="button"
          data-countersign="inbox-button"
          // Not `disabled`: that would move the focus away from the button.
          aria-disabled={progress !== 'ready'}
          onClick={() => answer({ approved: false })}
        >
          {words.deny}
        </button>
      )}
    </Unshown>
  );
}
