import type { ToolCallId } from '../protocol/index.ts';
import { runtime } from '../runtime/runtime.ts';

/** The only form that all providers take: Mistral refuses any other length or character. */
const length = 9;

/** What a provider's own id may be: clients send it back, and requests that answer it take 1 to 256 characters. */
const keptId = /^[!-~]{1,256}$/;

/**
 * An id of the flow's own for a call: nine letters and digits. It follows from its arguments, so a step that is repeated
 * after a crash, or a command that decides again after a conflict, makes the same one.
 *
 * @param isUsed true for an id that another call of the chat has
 * @param of what the id is derived from: the chat, and what identifies the call in it
 */
export function madeCallId(
  isUsed: (id: string) => boolean,
  ...of: readonly (string | number | undefined)[]
): ToolCallId {
  for (let attempt = 0; ; attempt += 1) {
    const digest = runtime.digest(JSON.stringify([...of, attempt]));
    const id = digest.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, length);
    if (id.length === length && !isUsed(id)) return id as ToolCallId;
  }
}

/** True for an id of the model that a client can return: 1 to 256 printable characters of ASCII, without spaces. */
export function isCallId(id: string): boolean {
  return keptId.test(id);
}
