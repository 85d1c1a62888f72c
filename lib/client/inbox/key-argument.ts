import { isRecord } from '../../protocol/json.ts';
import type { Question } from '../question.ts';

/** One argument that a row shows. `name` is the tool's name for it. */
export type KeyArgument = { readonly name: string; readonly value: string };

/**
 * The first argument that a question's sentence leaves out: a text of one line, a number or a boolean.
 * `undefined` if the sentence contains them all.
 */
export function keyArgument({ input, description }: Question): KeyArgument | undefined {
  if (!isRecord(input)) return undefined;
  for (const [name, value] of Object.entries(input)) {
    if (!['string', 'number', 'boolean'].includes(typeof value)) continue;
    const shown = String(value).trim();
    if (shown !== '' && !shown.includes('\n') && !description.includes(shown)) return { name, value: shown };
  }
  return undefined;
}
