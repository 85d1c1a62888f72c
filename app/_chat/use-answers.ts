'use client';

import { useCallback, useState } from 'react';
import type { Question } from './question.ts';

/** Who answered a question, and when: epoch milliseconds. `by` is absent for this person, here. */
export type AnswerRecord = { approved: boolean; at: number; by?: string; reason?: string };

/** Answers known to this page, by approval id. The message itself does not say who answered when. */
export type Answers = ReadonlyMap<string, AnswerRecord>;

/** Remembers answers given here and those the feed reports. The first record of a question stands. */
export function useAnswers() {
  const [answers, setAnswers] = useState<Answers>(new Map());

  const remember = useCallback((id: string, record: AnswerRecord) => {
    setAnswers((known) => (known.has(id) ? known : new Map(known).set(id, record)));
  }, []);

  const rememberSettled = useCallback(
    ({ id, answer }: Question) => {
      if (answer === undefined) return;
      remember(id, {
        approved: answer.approved,
        at: Date.parse(answer.at),
        by: answer.by.name,
        reason: answer.reason,
      });
    },
    [remember],
  );

  return { answers, remember, rememberSettled };
}
