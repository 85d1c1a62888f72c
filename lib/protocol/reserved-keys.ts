/** True if a key reaches a prototype when values are merged. The SDK's client refuses a chunk with one. */
export function hasReservedKey(item: object): boolean {
  return (
    Object.hasOwn(item, '__proto__') ||
    hasPrototype(Object.getOwnPropertyDescriptor(item, 'constructor')?.value)
  );
}

/** `JSON.stringify` escapes neither name. */
const suspect = /"(?:__proto__|constructor)":/;

/**
 * The value of a JSON text, its reserved keys in brackets: `[__proto__]`, `[constructor]`.
 *
 * @param text from `JSON.stringify`
 * @param onRenamed called for each object with such a key
 * @throws SyntaxError
 */
export function parseWithoutReservedKeys(text: string, onRenamed?: () => void): unknown {
  if (!suspect.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || !hasReservedKey(item)) return item;
    onRenamed?.();
    const isReserved = ([key, value]: [string, unknown]) =>
      key === '__proto__' || (key === 'constructor' && hasPrototype(value));
    return Object.fromEntries(
      Object.entries(item).map((entry) => [isReserved(entry) ? `[${entry[0]}]` : entry[0], entry[1]]),
    );
  });
}

function hasPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}
