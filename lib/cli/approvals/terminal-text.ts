import { visibleText } from '../../client/text/visible-text.ts';

const breaks: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text of a model or a person, for one line of a terminal. Control characters, escape sequences, and characters that are
 * invisible or change the reading direction are replaced by their code, and line breaks by `\n`, so that a text can neither
 * control the terminal nor imitate a line of this program.
 *
 * @source ADR 0044.2
 */
export function shownText(text: string): string {
  return visibleText(text).replaceAll(/[\n\r\t]/g, (character) => breaks[character] ?? '');
}

/** The same for a text of several lines, each behind a margin that no text can leave. @source ADR 0044.2 */
export function shownLines(text: string): string[] {
  return text.split('\n').map((line) => `  | ${shownText(line)}`);
}

/** A value as JSON, on several lines. Its strings cannot leave their quotation marks. @source ADR 0044.2 */
export function shownJson(value: unknown): string[] {
  return (JSON.stringify(value, null, 2) ?? 'nothing').split('\n').map((line) => `  ${shownText(line)}`);
}

/**
 * A value as one line of JSON in visible characters: what JSON leaves as it is, such as overrides of the reading direction
 * and C1 controls, is escaped as `\u…`. Any parser reads the same value.
 *
 * @source ADR 0044.2
 */
export function plainJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[^\x20-\x7e]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
