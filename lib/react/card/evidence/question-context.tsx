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
import { ContextLines } from '../../plugins/plugin-lines.tsx';
import { useLatest } from '../../use-latest.ts';
import { useCardWords } from '../../words/card-words.ts';

/**
 * Why an open question is asked: the asker's last message, and what the model said before the call. For cards
 * outside the chat; in the chat, both are above the card. Below, for whom this person would
 * answer, and what plugins say. Renders
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
  const { message, said, plugins } = context ?? {};
  const whose = question.onBehalfOf && words.answersFor(nameOf(question.onBehalfOf));
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
      {whose && <p data-countersign="card-people">{whose}</p>}
      {plugins && <ContextLines question={{ ...question, plugins }} />}
    </>
  );
}

function Saying({ by, text }: { by: string; text: string }) {
  return (
    <p data-countersign="context-saying">
      <strong>{visibleText(by)}</strong> <q>{visibleText(text)}</q>
    </p>
  );
}
