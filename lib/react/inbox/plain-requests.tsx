'use client';

import { useEffect, useState } from 'react';
import type { AnswerResult } from '../../client/inbox/answer-result.ts';
import {
  type ApprovalsApi,
  defaultApprovalsApi,
  postAnswer,
  readOpenQuestions,
} from '../../client/inbox/approvals-api.ts';
import type { NewAnswer, Question } from '../../client/question.ts';
import { UnshownQuestion } from '../card/unshown/question-boundary.tsx';
import { useInboxWords } from '../words/inbox-words.ts';
import { checkAccepted } from './check-accepted.ts';

type Answer = (question: Question, answer: NewAnswer) => Promise<AnswerResult>;

/** Questions as plain JSON, each with Deny: for a page that cannot be shown as a whole. */
export function PlainList({ questions, answer }: { questions: readonly Question[]; answer: Answer }) {
  const words = useInboxWords();
  return (
    <section aria-label={words.list} data-countersign="plain-requests">
      {questions.map((question) => (
        <UnshownQuestion
          key={question.id}
          question={question}
          onAnswer={async (given) => checkAccepted(await answer(question, given), words)}
        />
      ))}
    </section>
  );
}

/**
 * The open questions that this person may answer, as plain JSON with Deny: for the page that your app shows after an error. Whatever
 * could not be shown, perhaps because of the content of one request, can be read and denied here. Renders nothing if there are none.
 */
export function PlainRequests({ api = defaultApprovalsApi, fetch }: Partial<ApprovalsApi>) {
  const [questions, setQuestions] = useState<readonly Question[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void readOpenQuestions({ api, fetch }).then((page) => {
      if (isCurrent) setQuestions(page?.questions.filter(({ mayAnswer }) => mayAnswer) ?? []);
    });
    return () => {
      isCurrent = false;
    };
  }, [api, fetch]);
  if (questions.length === 0) return null;
  return (
    <PlainList
      questions={questions}
      answer={(question, given) => postAnswer({ api, fetch }, question, given)}
    />
  );
}
