/** A result that is too large to be kept in memory. @see largeResult */
export type LargeResult = {
  /** What people and the model get in place of the text: 1 to 2,000 characters. */
  readonly summary: string;
  /** How many items the text has. Default 1. */
  readonly resultCount?: number;
  /** The text in pieces of any size, as strings or UTF-8 bytes, for example a `ReadableStream`. */
  readonly text: AsyncIterable<string | Uint8Array>;
};

/** A registered symbol, because the package may be loaded twice. */
const mark = Symbol.for('countersign.large-result');

/**
 * Lets a tool return a stream of text, for results above `maxOutputBytes`. The text is stored in parts beside the log while the
 * stream is read, so it may have any length. People and the model get the summary and the size. People can also read the text.
 * If the stream fails, the call fails.
 *
 * Return it from `execute`, not from a generator. `summarize` and `toModelOutput` of the tool are not called. The text is not
 * kept for a tool with `secrets.output`, because it cannot be redacted.
 *
 * @example execute: async ({ query }) => largeResult({ summary: 'All rows.', text: database.csv(query) })
 * @source ADR 0042
 */
export function largeResult(result: LargeResult): LargeResult {
  return Object.assign({ ...result }, { [mark]: true });
}

/** True for an object that `largeResult` returned. */
export function isLargeResult(value: unknown): value is LargeResult {
  return typeof value === 'object' && value !== null && mark in value;
}
