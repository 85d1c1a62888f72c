import type { CardPlugin } from '../../../react/plugins/card-plugin.ts';
import { escalationLines } from '../client/lines.ts';

export { defaultEscalationWords, type EscalationWords } from '../client/words.ts';

/**
 * Says on the card, and in its row of the inbox, who else may answer since when, and what happens if nobody does.
 *
 * @param settings.words replace some of the English texts
 * @source ADR 0048
 */
export function escalationCard(settings?: Parameters<typeof escalationLines>[0]): CardPlugin {
  return { name: 'escalation', linesAt: 'heading', lines: escalationLines(settings) };
}
