'use client';

import { useContext } from 'react';
import { visibleText } from '../../../client/visible-text.ts';
import { usePersonName } from '../../person/person.tsx';
import { useLoaded } from '../../use-loaded.ts';
import { WordsContext } from '../../words/use-words.ts';
import { announce } from '../announce.ts';
import { useApprovalCard } from '../card-context.ts';
import type { VotesLineProps } from './votes-line.tsx';

const load = () => import('./votes-line.tsx');

/**
 * Who has voted on a question that several people must approve, and how many approvals are missing. Renders nothing for other
 * questions.
 *
 * @source ADR 0047
 */
export function Votes() {
  const { question, words } = useApprovalCard();
  return question.votes ? <LoadedVotes question={question} forPerson={words.forPerson} /> : null;
}

function LoadedVotes({ question, forPerson }: Pick<VotesLineProps, 'question' | 'forPerson'>) {
  const code = useLoaded(load);
  const given = useContext(WordsContext).votes;
  const nameOf = usePersonName();
  return code ? <code.VotesLine {...{ question, given, forPerson, nameOf, visibleText, announce }} /> : null;
}
