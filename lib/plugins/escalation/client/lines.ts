import type { QuestionLines } from '../../../protocol/approval/question-lines.ts';
import './state.ts';
import { defaultEscalationWords, type EscalationWords } from './words.ts';

/**
 * Says who else may answer a question since when, and what happens if nobody does; nothing about a question without escalation, and
 * before there is something to say.
 *
 * @param settings.words replace some of the English texts
 * @source ADR 0048
 */
export function escalationLines({
  words,
}: {
  readonly words?: Partial<EscalationWords>;
} = {}): QuestionLines {
  const { escalated, ends } = { ...defaultEscalationWords, ...words };
  return ({ state, plugins }, { moment, text }) => {
    const { at, label, end } = plugins?.escalation ?? {};
    const to = label === undefined ? undefined : text(label);
    return [
      ...(at === undefined ? [] : [escalated(to, moment(at))]),
      ...(state === 'open' && end ? [ends(end.then, moment(end.at))] : []),
    ];
  };
}
