/** How the engines of browsers and Node word the `TypeError` of a mistake. That of a network is worded by the system. */
const wordings =
  /is(?:n't| not) (?:a|an|defined|iterable)\b|is (?:undefined|null)\b|not (?:a function|an object)|can(?:not|'t) (?:access|assign|call|convert|create|define|delete|destructure|read|redefine|set)|before initialization|failed to (?:execute|construct)|no properties|read-?only|circular/i;

/**
 * Whether an error is a mistake in a program, such as a function that this browser lacks. `fetch` rejects with a `TypeError`,
 * too, if the network fails: that is not one.
 */
export function isMistake(error: unknown): boolean {
  if (error instanceof TypeError) return wordings.test(error.message);
  return error instanceof ReferenceError || error instanceof RangeError || error instanceof SyntaxError;
}

/** Throws an error where the page's error handlers and its console see it, and goes on here. */
export function reportMistake(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
