'use client';

import { useEffect, useRef } from 'react';
import type { Person, Question } from '../../../client/question.ts';
import { votesLines } from '../../../client/votes-lines.ts';
import { defaultVotesWords, type VotesWords } from '../../../client/words/votes-words.ts';

/** What the card gives to this code, which would otherwise be split from the page's initial code. */
export type VotesLineProps = {
  readonly question: Question;
  readonly given: Partial<VotesWords> | undefined;
  readonly nameOf: (person: Person) => string;
  readonly forPerson: (name: string, other: string) => string;
  readonly visibleText: (text: string) => string;
  readonly announce: (text: string) => void;
};

/**
 * Who has voted, and how many approvals are missing. A change is announced.
 *
 * @source ADR 0047
 */
export function VotesLine({ question, given, forPerson, nameOf, visibleText, announce }: VotesLineProps) {
  const words = { ...defaultVotesWords, ...given, forPerson };
  const lines = votesLines(question, words, (person) => visibleText(nameOf(person)));
  useAnnounced(question.state === 'open' ? lines.join(' ') : undefined, announce);
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
