'use client';

import { Fragment, useEffect, useRef } from 'react';
import type { Question } from '../../client/question.ts';
import { answererName } from '../../client/text/answerer-name.ts';
import { visibleText } from '../../client/text/visible-text.ts';
import type { QuestionLines, Wording } from '../../protocol/approval/question-lines.ts';
import { announce } from '../card/announce.ts';
import { usePersonName } from '../person/person.tsx';
import { useIsHydrated } from '../use-is-hydrated.ts';
import { useCardWords } from '../words/card-words.ts';
import { useCardPlugins } from './card-plugins.tsx';

type Props = { readonly name: string; readonly lines: QuestionLines; readonly question: Question };

/** What one plugin says on a card. A change is announced, and not what is read with the card. */
export function CardLines({ name, lines, question }: Props) {
  const wording = useWording();
  const isHydrated = useIsHydrated();
  const shown = known(lines(question, wording));
  const text = isHydrated && question.state === 'open' ? shown.join(' ') : undefined;
  const before = useRef(text);
  useEffect(() => {
    if (text && before.current !== undefined && before.current !== text) announce(text);
    before.current = text;
  }, [text]);
  if (shown.length === 0) return null;
  return (
    <div data-countersign="card-lines" data-plugin={name}>
      {shown.map((line, index) => (
        <Fragment key={line}>
          {index > 0 && ' '}
          <p>
            <bdi>{line}</bdi>
          </p>
        </Fragment>
      ))}
    </div>
  );
}

/** What plugins say in a row of the inbox. */
export function RowLines({ question }: { question: Question }) {
  const wording = useWording();
  return useCardPlugins().map(({ name, lines }) => {
    const shown = known(lines?.(question, wording));
    return (
      shown.length > 0 && (
        <bdi key={name} data-countersign="inbox-item-lines" data-plugin={name}>
          {shown.join(' ')}
        </bdi>
      )
    );
  });
}

/** What plugins say below the context of a question. */
export function ContextLines({ question }: { question: Parameters<QuestionLines>[0] }) {
  const wording = useWording();
  return useCardPlugins().flatMap(({ name, contextLines }) =>
    known(contextLines?.(question, wording)).map((line) => (
      <p key={`${name} ${line}`} data-countersign="card-people" data-plugin={name}>
        {line}
      </p>
    )),
  );
}

/** Stands for a time. The server, and a page while it is hydrated, know no local time. */
const unknownTime = '\uFFFC';

/** How lines name people and times. */
function useWording(): Wording {
  const nameOf = usePersonName();
  const words = useCardWords();
  const isHydrated = useIsHydrated();
  return {
    person: nameOf,
    answerer: (answer) => answererName(answer, nameOf, words),
    moment: (at) => (isHydrated ? words.moment(new Date(at)) : unknownTime),
    text: visibleText,
  };
}

/** The lines without a time that is not known yet. */
function known(lines: readonly string[] = []): readonly string[] {
  return lines.filter((line) => !line.includes(unknownTime));
}
