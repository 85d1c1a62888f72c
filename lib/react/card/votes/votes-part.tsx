'use client';

import { useContext } from 'react';
import type { Question } from '../../../client/question.ts';
import { visibleText } from '../../../client/visible-text.ts';
import { usePersonName } from '../../person/person.tsx';
import { useLoaded } from '../../use-loaded.ts';
import { WordsContext } from '../../words/use-words.ts';
import { announce } from '../announce.ts';
import { useApprovalCard } from '../card-context.ts';

const load = () => import('./votes-line.tsx');

/**
 * Who has voted on a question that several people must approve, and how many approvals are missing. Renders nothing for other
 * questions.
 *
 * @source ADR 0047
 */
export function Votes() {
  const { question } = useApprovalCard();
  return question.votes ? <LoadedVotes question={question} /> : null;
}

function LoadedVotes({ question }: { question: Question }) {
  const code = useLoaded(load);
  const given = useContext(WordsContext).votes;
  const nameOf = usePersonName();
  return code ? <code.VotesLine {...{ question, given, nameOf, visibleText, announce }} /> : null;
}
