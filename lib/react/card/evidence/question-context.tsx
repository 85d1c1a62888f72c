'use client';

import { type ComponentPropsWithoutRef, useEffect, useState } from 'react';
import { loadContext as fromApprovals, type LoadContext } from '../../../client/load-context.ts';
import type { Question } from '../../../client/question.ts';
import { visibleText } from '../../../client/visible-text.ts';
import type { ContextJson } from '../../../protocol/wire/question-context.ts';
import { usePersonName } from '../../person/person.tsx';
import { useLatest } from '../../use-latest.ts';
import { useCardWords } from '../../words/use-words.ts';

/**
 * Why an open question is asked: the asker's last message, and what the model said before the call. For cards
 * outside the chat; in the chat, both are above the card. Renders nothing until it is loaded, or if this
 * person may not know.
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
  const [context, setContext] = useState<ContextJson>();
  const isOpen = question.state === 'open';
  const read = useLatest(() => {
    load(question).then(setContext, () => {});
  });
  useEffect(() => {
    if (isOpen) read();
  }, [isOpen, read]);

  if (!isOpen || !(context?.message || context?.said)) return null;
  const { message, said } = context;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would group form fields; and a page may show it for many questions
    <section role="group" data-countersign="card-context" aria-label={words.context} {...rest}>
      {message && <Saying by={question.askedBy ? nameOf(question.askedBy) : words.asked} text={message} />}
      {said && <Saying by={words.assistant} text={said} />}
    </section>
  );
}

function Saying({ by, text }: { by: string; text: string }) {
  return (
    <p data-countersign="context-saying">
      <strong>{visibleText(by)}</strong> <q>{visibleText(text)}</q>
    </p>
  );
}
