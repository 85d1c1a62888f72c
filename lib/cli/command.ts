import { shownText } from './approvals/terminal-text.ts';

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

/** At most 200 characters of a text or of a value as JSON, for one line of a terminal. */
export function printable(value: unknown): string {
  return shownText(String(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 200));
}
