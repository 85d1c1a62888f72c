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
