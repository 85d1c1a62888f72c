import { escalationLines } from '../../../client/escalation-lines.ts';
import { defaultEscalationWords, type EscalationWords } from '../../../client/words/escalation-words.ts';
import type { CardPlugin } from '../../../react/plugins/card-plugin.ts';

export { defaultEscalationWords, type EscalationWords } from '../../../client/words/escalation-words.ts';

/**
 * Says on the card, and in its row of the inbox, who else may answer since when, and what happens if nobody does.
 *
 * @param settings.words replace some of the English texts
 * @source ADR 0048
 */
export function escalationCard({ words }: { readonly words?: Partial<EscalationWords> } = {}): CardPlugin {
  const named = { ...defaultEscalationWords, ...words };
  return {
    name: 'escalation',
    linesAt: 'heading',
    lines: (question, { moment, text: label }) => escalationLines(question, named, { moment, label }),
  };
}
