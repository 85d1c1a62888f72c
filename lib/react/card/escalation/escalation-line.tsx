import type { Question } from '../../../client/question.ts';
import { defaultEscalationWords, type EscalationWords } from '../../words/escalation-words.ts';

/**
 * Who else may answer since when, and what happens if nobody does.
 *
 * @param given texts that replace the English ones
 * @param moment a time as text
 * @param visibleText makes texts of others harmless
 */
export function EscalationLine({
  question: { escalation, deadline, state },
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
  const { at, label, end } = escalation ?? {};
  const shown = label === undefined ? undefined : visibleText(label);
  return (
    <>
      {at !== undefined && <span>{words.escalated(shown, moment(new Date(at)))}</span>}
      {at !== undefined && ' '}
      {state === 'open' && end && deadline !== undefined && (
        <span>{words.ends(end, moment(new Date(deadline)))}</span>
      )}
    </>
  );
}
