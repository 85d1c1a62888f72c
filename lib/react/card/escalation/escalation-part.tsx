'use client';

import { type ComponentPropsWithoutRef, useContext } from 'react';
import type { Question } from '../../../client/question.ts';
import { visibleText } from '../../../client/visible-text.ts';
import { useLoaded } from '../../use-loaded.ts';
import { useCardWords, WordsContext } from '../../words/use-words.ts';
import { useApprovalCard } from '../card-context.ts';

const loadLine = () => import('./escalation-line.tsx');

/**
 * Who else may answer since when, and what happens if nobody does. Renders nothing for a question without escalation, and before
 * there is something to say.
 *
 * @source ADR 0048
 */
export function CardEscalation({ children, ...rest }: ComponentPropsWithoutRef<'p'>) {
  const { question } = useApprovalCard();
  return hasLine(question) ? (
    <p data-countersign="card-escalation" {...rest}>
      {children ?? <Line question={question} />}
    </p>
  ) : null;
}

/** The same for a row of the inbox. */
export function EscalationFact({ question }: { question: Question }) {
  return hasLine(question) ? (
    <span data-countersign="inbox-item-escalation">
      <Line question={question} />
    </span>
  ) : null;
}

function hasLine({ escalation, state }: Question): boolean {
  return Boolean(escalation?.at ?? (state === 'open' && escalation?.end));
}

/** Few questions are escalated, so the code and its texts are loaded with the first one. */
function Line({ question }: { question: Question }) {
  const code = useLoaded(loadLine);
  const given = useContext(WordsContext).escalation;
  const { moment } = useCardWords();
  return code && <code.EscalationLine {...{ question, given, moment, visibleText }} />;
}
