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
 * What a key press in a card means. A held key means nothing: its repeats would answer the next question. Nor does
 * a key that ends the composing of a character. Plain Enter never approves.
 */
export function answerOfKey(press: KeyPress): 'approve' | 'deny' | undefined {
  const isCommand = (press.ctrlKey || press.metaKey) && !press.shiftKey && !press.altKey;
  if (!isCommand || press.repeat || press.isComposing) return undefined;
  if (press.key === 'Enter') return 'approve';
  return press.key === '.' ? 'deny' : undefined;
}
