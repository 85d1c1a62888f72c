/** The environment of a command. Tests provide their own. */
export type Terminal = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints a line to the output. */
  readonly print: (line: string) => void;
  /** Prints a line to the error output. */
  readonly complain: (line: string) => void;
  /** True if the output is a terminal. */
  readonly isTerminal?: boolean;
  /** Asks a person, and returns the line. Absent if nobody can type. */
  readonly prompt?: (question: string) => Promise<string>;
  /** Waits. Default: by the machine's clock. @param ms milliseconds */
  readonly sleep?: (ms: number) => Promise<void>;
  /** Ends commands that would continue without a limit. */
  readonly signal?: AbortSignal;
};

/** A command of `countersign`: takes its arguments and returns the exit code. */
export type Command = (args: readonly string[], terminal: Terminal) => Promise<number>;

/** The arguments are invalid, or the input could not be read. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Escapes text from a file for a terminal, so that it cannot move the cursor or change colours. */
export function printable(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return String(text)
    .slice(0, 200)
    .replaceAll(/[^\x20-\x7e\u00a1-\ud7ff]/g, (character) => {
      const hex = character.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${hex}`;
    });
}
