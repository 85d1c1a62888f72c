const plain = /^[\n\r\t -~]*$/;

/** Scripts in which a joiner between two letters changes how they are written. */
const joining =
  'Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar'
    .split(' ')
    .map((script) => `\\p{Script=${script}}`)
    .join('');
const wide = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]';
/**
 * Characters that are legitimate in their context: line breaks and tabs, joiners and selectors of emoji and
 * of scripts, wide spaces.
 */
const useful = [
  '[\\n\\r\\t]',
  `(?<=[${joining}])[\\u200c\\u200d](?=[${joining}])`,
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '\\ufe0f(?=\\u20e3)',
  `(?<=${wide})\\u3000`,
].join('|');
/** Characters that are invisible, or look like a space. */
const unseen =
  '[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u2800\\u3000]';
const marked = new RegExp(`${useful}|(${unseen})`, 'gu');

const names: Readonly<Record<number, string>> = {
  160: 'no-break space',
  173: 'soft hyphen',
  847: 'combining grapheme joiner',
  1564: 'Arabic letter mark',
  4447: 'Hangul filler',
  4448: 'Hangul filler',
  8203: 'zero width space',
  8204: 'zero width non-joiner',
  8205: 'zero width joiner',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8234: 'left-to-right embedding',
  8235: 'right-to-left embedding',
  8236: 'end of direction',
  8237: 'left-to-right override',
  8238: 'right-to-left override',
  8239: 'narrow no-break space',
  8288: 'word joiner',
  8294: 'left-to-right isolate',
  8295: 'right-to-left isolate',
  8296: 'isolate',
  8297: 'end of isolate',
  10240: 'blank Braille pattern',
  12644: 'Hangul filler',
  65039: 'variation selector',
  65279: 'zero width no-break space',
  65440: 'Hangul filler',
};

/** Scripts whose letters look alike. A word has letters of one of them. See section 5.1 of UTS 39. */
const alike = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic'].map((name) => ({
  name,
  letter: new RegExp(`\\p{Script=${name}}`, 'u'),
}));

/**
 * Makes visible what people cannot see or tell apart, so that an argument does not read differently from what
 * runs: characters that are invisible, look like a space or change the reading direction are replaced by
 * their code and name, and a word with letters of several scripts that look alike is followed by their names.
 *
 * @example visibleText('Pay\u200bPal') // 'Pay⟨U+200B zero width space⟩Pal'
 */
export function visibleText(text: string): string {
  if (plain.test(text)) return text;
  return text.replaceAll(/[\p{L}\p{M}\p{N}]+/gu, withScripts).replaceAll(marked, (match, mark?: string) => {
    if (mark === undefined) return match;
    const code = mark.codePointAt(0) ?? 0;
    const name = names[code];
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}${name ? ` ${name}` : ''}⟩`;
  });
}

function withScripts(word: string): string {
  const scripts = alike.flatMap(({ name, letter }) => (letter.test(word) ? [name] : []));
  return scripts.length > 1 ? `${word}⟨mixed scripts: ${scripts.join(', ')}⟩` : word;
}
