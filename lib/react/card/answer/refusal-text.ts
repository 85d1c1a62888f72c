import { isRecord } from '../../../protocol/json.ts';

const mostShown = 300;

/**
 * What to tell a person of an error: the server's own sentence where the error is its JSON, else the message, which
 * may be empty. At most 300 characters.
 *
 * @source H-Errors
 */
export function refusalText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const text = serverSentence(message) ?? message.trim();
  return text.length > mostShown ? `${text.slice(0, mostShown - 1)}…` : text;
}

function serverSentence(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const told = isRecord(value) && isRecord(value.error) ? value.error.message : undefined;
    return typeof told === 'string' ? told : undefined;
  } catch {
    return undefined;
  }
}
