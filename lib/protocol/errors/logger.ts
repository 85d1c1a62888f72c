/** The only logging interface of the library. Inputs, outputs and secrets are never logged. */
export type Logger = {
  warn(message: string, facts: Readonly<Record<string, unknown>>): void;
  error(message: string, facts: Readonly<Record<string, unknown>>): void;
};
