'use client';

import { type ComponentPropsWithoutRef, useEffect, useState } from 'react';
import {
  loadContext as fromApprovals,
  type LoadContext,
  type LoadedContext,
} from '../../../client/http/load-context.ts';
import type { Question } from '../../../client/question.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import { usePersonName } from '../../person/person.tsx';
import { useLatest } from '../../use-latest.ts';
import { useCardWords } from '../../words/use-words.ts';

/**
 * Why an open question is asked: the asker's last message, and what the model said before the call. For cards
 * outside the chat; in the chat, both are above the card. Below, who may answer, and for whom this person would. Renders
 * nothing until it is loaded, or if this person may not know.
 *
 * @param props.load default: `GET /api/approvals/{id}`
 * @source ADR 0015
 */
export function QuestionContext({
  question,
  load = fromApprovals,
  ...rest
}: { question: Question; load?: LoadContext } & ComponentPropsWithoutRef<'section'>) {
  const words = useCardWords();
  const nameOf = usePersonName();
  const [context, setContext] = useState<LoadedContext>();
  const isOpen = question.state === 'open';
  const read = useLatest(() => {
    load(question).then(setContext, () => {});
  });
  useEffect(() => {
    if (isOpen) read();
  }, [isOpen, read]);

  if (!isOpen) return null;
  const { message, said, eligible = [], othersEligible = false } = context ?? {};
  const whose = question.onBehalfOf && words.answersFor(nameOf(question.onBehalfOf));
  const who = eligible.length > 0 && words.eligible(eligible.map(nameOf), othersEligible);
  return (
    <>
      {(message || said) && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would group form fields; and a page may show it for many questions
        <section role="group" data-countersign="card-context" aria-label={words.context} {...rest}>
          {message && (
            <Saying by={question.askedBy ? nameOf(question.askedBy) : words.asked} text={message} />
          )}
          {said && <Saying by={words.assistant} text={said} />}
        </section>
      )}
      {[whose, who].map((text) => text && <Note key={text} text={text} />)}
    </>
  );
}

function Note({ text }: { text: string }) {
  return <p data-countersign="card-people">{text}</p>;
}

function Saying({ by, text }: { by: string; text: string }) {
  return (
    <p data-countersign="context-saying">
      <strong>{visibleText(by)}</strong> <q>{visibleText(text)}</q>
    </p>
  );
}
