import type { UIMessage } from 'ai';
import type { ReadInput } from '../request/input.ts';

/**
 * What a client says was said before, for the beginning of a new chat: texts and files of users, and texts of the
 * assistant. Calls, results and answers are left out, so none can be forged.
 *
 * @source ADR 0014.2
 */
export function claimsOf({ speeches, tail }: ReadInput): UIMessage[] {
  return speeches.slice(0, tail).flatMap((speech, index): UIMessage[] => {
    const id = `history-${index + 1}`;
    if (speech.role === 'user') {
      return isEmpty(speech.part) ? [] : [{ id, role: 'user', parts: [speech.part] }];
    }
    return speech.text === ''
      ? []
      : [{ id, role: 'assistant', parts: [{ type: 'text', text: speech.text }] }];
  });
}

function isEmpty(part: { readonly type: string; readonly text?: string }): boolean {
  return part.type === 'text' && part.text === '';
}
