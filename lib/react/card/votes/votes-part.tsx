'use client';

import { useContext } from 'react';
import type { Question } from '../../../client/question.ts';
import { visibleText } from '../../../client/visible-text.ts';
import { usePersonName } from '../../person/person.tsx';
import { useLoaded } from '../../use-loaded.ts';
import { useCardWords, WordsContext } from '../../words/use-words.ts';
import { announce } from '../announce.ts';
import { useApprovalCard } from '../card-context.ts';
import type { VotesProps } from './votes-line.tsx';

const load = () => import('./votes-line.tsx');

/**
 * Who has voted on a question that several people must approve, and how many approvals are missing. Renders nothing for other
 * questions.
 *
 * @source ADR 0047
 */
export function CardVotes() {
  const { question, words } = useApprovalCard();
  const { forPerson } = words;
  return question.votes ? <Loaded {...{ question, forPerson }} /> : null;
}

/** The same for a row of the inbox. */
export function VotesFact({ question }: { question: Question }) {
  const { forPerson } = useCardWords();
  return question.votes ? <Loaded {...{ question, forPerson, isRow: true }} /> : null;
}

function Loaded(facts: Pick<VotesProps, 'question' | 'forPerson' | 'isRow'>) {
  const code = useLoaded(load);
  const given = useContext(WordsContext).votes;
  const nameOf = usePersonName();
  return code ? <code.VotesLine {...{ ...facts, given, nameOf, visibleText, announce }} /> : null;
}
