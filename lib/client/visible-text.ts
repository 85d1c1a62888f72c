// Control and format characters: bidirectional overrides, zero-width spaces, tags, line separators.
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

// Line breaks and tabs are layout; the joiners belong to emoji and to several scripts.
const harmless = new Set(['\n', '\r', '\t', '\u200c', '\u200d']);

/**
 * Replaces invisible characters with visible codes. A right-to-left override or a zero-width space can make an argument
 * read differently from what runs.
 */
export function visibleText(text: string): string {
  return text.replaceAll(unseen, (character) => {
    if (harmless.has(character)) return character;
    const code = character.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
