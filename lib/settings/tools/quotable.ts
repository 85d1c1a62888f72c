/** A text that a model or an agent wrote, on one line, and without quotation marks that would end the quotation. */
export function quotable(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/["“”„‟«»]/g, "'")
    .trim();
}
