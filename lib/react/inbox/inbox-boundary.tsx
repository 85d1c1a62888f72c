'use client';

import type { ReactNode } from 'react';
import type { Question } from '../../client/question.ts';
import { QuestionBoundary } from '../card/unshown/question-boundary.tsx';
import { checkAccepted } from './check-accepted.ts';
import { useInbox } from './inbox-context.ts';

/** Keeps one question that cannot be shown from the rest of the inbox. It can still be denied. */
export function InboxBoundary({ question, children }: { question: Question; children: ReactNode }) {
  const { inbox, words } = useInbox();
  return (
    <QuestionBoundary
      question={question}
      onAnswer={async (answer) => checkAccepted(await inbox.answer(question.id, answer), words)}
    >
      {children}
    </QuestionBoundary>
  );
}
