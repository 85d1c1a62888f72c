/**
 * The JSON of a value in printable ASCII: it shows what a page could not lay out, needs no knowledge of scripts, and no character of it
 * is invisible.
 */
export function plainJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? 'undefined';
  return text.replaceAll(
    /[^\n -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
