/** How the engines of browsers and Node word the `TypeError` of a mistake. That of a network is worded by the system. */
const wordings =
  /is(?:n't| not) (?:a|an|defined|iterable)\b|is (?:undefined|null)\b|can(?:not|'t) (?:access|assign|call|convert|create|define|delete|destructure|read|redefine|set)|failed to (?:execute|construct)|has no properties|read-?only|circular/i;

/**
 * Whether an error is a mistake in a program, such as a function that this browser lacks. `fetch` rejects with a `TypeError`,
 * too, if the network fails: that is not one.
 */
export function isMistake(error: unknown): boolean {
  if (error instanceof TypeError) return wordings.test(error.message);
  return error instanceof ReferenceError || error instanceof RangeError;
}

/**
 * Passes a mistake on to the error handlers of the page and to its console, where an error that is caught as a failed
 * request would be lost.
 *
 * @returns whether it is one
 */
export function reportMistake(error: unknown): boolean {
  if (!isMistake(error)) return false;
  // Node has no `reportError`.
  if (globalThis.reportError) globalThis.reportError(error);
  else console.error(error);
  return true;
}
