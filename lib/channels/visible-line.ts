import { visibleText } from '../client/text/visible-text.ts';

/**
 * A text of a person, a model or a tool, without invisible characters. Line breaks are marked, so that it cannot look like another line of
 * the message, such as an argument.
 */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll(/[\r\n]+/g, ' ⏎ ');
}
