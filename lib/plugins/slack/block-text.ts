/** Escapes the three characters that control Slack's `mrkdwn`, so that a text contains no link and mentions nobody. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A text without formatting: no links, mentions or emoji names. For everything that people, models and tools write. */
export function plain(text: string) {
  return { type: 'plain_text', text, emoji: false } as const;
}

/** A text in Slack's markup. Only for texts that were escaped. */
export function markup(text: string) {
  return { type: 'mrkdwn', text, verbatim: true } as const;
}

/** At most `most` characters, the last of them `…` if some are missing. Does not split a surrogate pair. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The time in the time zone of each reader. @param at ISO 8601 */
export function slackTime(at: string): string {
  const seconds = Math.floor(Date.parse(at) / 1_000);
  return `<!date^${seconds}^{date_short_pretty} {time}|${escaped(at)}>`;
}

/** Encloses a time in a line. Texts of others cannot contain it, because `visibleLine` replaces control characters. */
const timeMark = '\u0001';

/** A time in a line for `withTimes`. @param at ISO 8601 */
export function markedTime(at: string): string {
  return `${timeMark}${at}${timeMark}`;
}

/** A line with the times of `markedTime`. Slack shows times only in markup, so a line without a time is plain. */
export function withTimes(line: string, most: number) {
  const pieces = line.split(timeMark);
  if (pieces.length === 1) return plain(cut(line, most));
  return markup(pieces.map((piece, index) => (index % 2 === 1 ? slackTime(piece) : escaped(piece))).join(''));
}
