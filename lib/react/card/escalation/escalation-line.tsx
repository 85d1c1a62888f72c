import { Fragment } from 'react';
import { escalationLines } from '../../../client/escalation-lines.ts';
import type { Question } from '../../../client/question.ts';
import { defaultEscalationWords, type EscalationWords } from '../../../client/words/escalation-words.ts';

/**
 * Who else may answer since when, and what happens if nobody does.
 *
 * @param given texts that replace the English ones
 * @param moment a time as text
 * @param visibleText makes texts of others harmless
 */
export function EscalationLine({
  question,
  given,
  moment,
  visibleText,
}: {
  question: Question;
  given: Partial<EscalationWords> | undefined;
  moment: (at: Date) => string;
  visibleText: (text: string) => string;
}) {
  const words = { ...defaultEscalationWords, ...given };
  const shown = { moment: (at: string) => moment(new Date(at)), label: visibleText };
  return escalationLines(question, words, shown).map((line, index) => (
    <Fragment key={line}>
      {index > 0 && ' '}
      <span>{line}</span>
    </Fragment>
  ));
}
