import type { CardPlugin } from '../../../react/plugins/card-plugin.ts';
import { UpcomingCalls } from './upcoming-calls.tsx';
import { defaultUpcomingWords, type UpcomingWords } from './words.ts';

export { defaultUpcomingWords, type UpcomingWords } from './words.ts';

/**
 * Lists below a card of the inbox the upcoming calls of the same step, each with a checkbox to pre-approve it.
 *
 * @param settings.words replace some of the English texts
 * @source ADR 0041
 */
export function preApprovalsCard({ words }: { readonly words?: Partial<UpcomingWords> } = {}): CardPlugin {
  const named = { ...defaultUpcomingWords, ...words };
  return {
    name: 'preApprovals',
    parts: { below: (question) => <UpcomingCalls question={question} words={named} /> },
  };
}
