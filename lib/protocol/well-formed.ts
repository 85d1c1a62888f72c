/** A text in which halves of surrogate pairs are U+FFFD. As `toWellFormed`, which Firefox lacks before version 119. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}
