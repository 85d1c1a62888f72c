'use client';

import { useEffect, useRef } from 'react';
import type { Person, Question } from '../../../client/question.ts';
import { votesLines } from '../../../client/votes-lines.ts';
import { defaultVotesWords, type VotesWords } from '../../../client/words/votes-words.ts';

/** What the page gives to this code, which would otherwise be part of its initial code. */
export type VotesProps = {
  readonly question: Question;
  readonly isRow?: boolean;
  readonly given: Partial<VotesWords> | undefined;
  readonly nameOf: (person: Person) => string;
  readonly forPerson: (name: string, other: string) => string;
  readonly visibleText: (text: string) => string;
  readonly announce: (text: string) => void;
};

/**
 * Who has voted, and how many approvals are missing. A change is announced by the card, not by a row of the inbox.
 *
 * @source ADR 0047
 */
export function VotesLine({ question, given, isRow, forPerson, nameOf, visibleText, announce }: VotesProps) {
  const words = { ...defaultVotesWords, ...given, forPerson };
  const lines = votesLines(question, words, (person) => visibleText(nameOf(person)));
  useAnnounced(question.state === 'open' && !isRow ? lines.join(' ') : undefined, announce);
  if (isRow) return <bdi data-countersign="inbox-item-votes">{lines.join(' ')}</bdi>;
  return (
    <div data-countersign="card-votes" data-voted={question.hasVoted}>
      {lines.map((line) => (
        <p key={line}>
          <bdi>{line}</bdi>
        </p>
      ))}
    </div>
  );
}

/** Announces a text when it changes, and not when it appears: then it is read with the card. */
function useAnnounced(text: string | undefined, announce: (text: string) => void): void {
  const before = useRef(text);
  useEffect(() => {
    if (text !== undefined && before.current !== text) announce(text);
    before.current = text;
  }, [text, announce]);
}
