/** What a command may touch: tests and programs give their own. */
export type Terminal = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints one line to the output. */
  readonly print: (line: string) => void;
  /** Prints one line beside the output: what went wrong. */
  readonly complain: (line: string) => void;
};

/** A command of `countersign`: gets its arguments, gives the exit code. */
export type Command = (args: readonly string[], terminal: Terminal) => Promise<number>;

/** The command was called in a way that it does not understand, or cannot read what it was given. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Text from a file, fit for a terminal: what could move its cursor or colour it is escaped. */
export function printable(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return String(text)
    .slice(0, 200)
    .replaceAll(/[^\x20-\x7e\u00a1-\ud7ff]/g, (character) => {
      const hex = character.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${hex}`;
    });
}
