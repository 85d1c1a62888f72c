import { visibleText } from '../client/text/visible-text.ts';

/** A text on one line, without invisible characters: it must not look like another line of the message. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll(/[\r\n]+/g, ' ⏎ ');
}
