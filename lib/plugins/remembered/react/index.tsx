import type { CardPlugin } from '../../../react/plugins/card-plugin.ts';
import { RememberPart } from './remember-part.tsx';
import { defaultRememberWords, type RememberWords } from './words.ts';

export { defaultRememberWords, type RememberWords } from './words.ts';

/**
 * Lets a person choose on the card which later calls the approval covers.
 *
 * @param settings.words replace some of the English texts
 * @source ADR 0015
 */
export function rememberedCard({ words }: { readonly words?: Partial<RememberWords> } = {}): CardPlugin {
  const named = { ...defaultRememberWords, ...words };
  return {
    name: 'remembered',
    parts: { answer: () => <RememberPart words={named} /> },
    approveLabel: ({ plugins }, isEdited) =>
      plugins?.remembered && (isEdited ? named.approveEditedAndRemember : named.approveAndRemember),
  };
}
