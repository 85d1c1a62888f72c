/**
 * Milliseconds after which a test that computes for long, or that waits for a compiler, is taken to hang. A machine with little to
 * spare has needed eight times the time of a quiet one for the same test.
 */
export const hangMs = 900_000;
