/** The keys that answer a question while the focus is inside its card, as `aria-keyshortcuts` writes them. */
export const approvalKeys = {
  approve: 'Control+Enter Meta+Enter',
  deny: 'Control+Period Meta+Period',
} as const;

type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'repeat' | 'isComposing'
>;

/**
 * The answer that a key press in a card gives. A held key gives no answer, because its repeats would answer
 * the next question. Neither does a key that ends the composition of a character. Enter alone never approves.
 */
export function answerOfKey(press: KeyPress): 'approve' | 'deny' | undefined {
  const isCommand = (press.ctrlKey || press.metaKey) && !press.shiftKey && !press.altKey;
  if (!isCommand || press.repeat || press.isComposing) return undefined;
  if (press.key === 'Enter') return 'approve';
  return press.key === '.' ? 'deny' : undefined;
}
