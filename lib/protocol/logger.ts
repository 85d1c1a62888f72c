/** The library logs through this port only; never inputs, outputs or secrets. */
export type Logger = {
  warn(message: string, facts: Readonly<Record<string, unknown>>): void;
  error(message: string, facts: Readonly<Record<string, unknown>>): void;
};
