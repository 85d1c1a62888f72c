/**
 * Letters of Cyrillic and Greek that look like a Latin one, each before the one that it looks like, from `confusables.txt` of
 * UTS 39.
 *
 * @source ADR 0040
 */
const pairs = `
  АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX Іl ЅS ЈJ ҮY Ӏl ԌG ԜW ѴV
  аa еe оo рp сc уy хx іi ѕs јj һh ӏi ԁd ԛq ԝw ѡw ѵv үy гr
  ΑA ΒB ΕE ΖZ ΗH Ιl ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ϹC ϜF ͿJ
  αa γy ιi νv οo ρp σo υu ϲc ϳj ϱp
  Il 1l |l 0O
`;

const lookOf = new Map(
  pairs
    .trim()
    .split(/\s+/)
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

const scripts = ['Latin', 'Cyrillic', 'Greek'].map(
  (name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const,
);

/** As many as a row has space for. */
const mostCodes = 4;

/** A text to compare with others, never to show: texts with the same skeleton look alike. */
export function skeletonOf(text: string): string {
  return [...text.normalize('NFD')].map((character) => lookOf.get(character) ?? character).join('');
}

/**
 * Names the characters of a text that one of its look-alikes does not have.
 *
 * @param others texts with the same skeleton
 * @example charactersApart('рау', ['pay']) // '⟨Cyrillic: U+0440, U+0430, U+0443⟩'
 */
export function charactersApart(text: string, others: readonly string[]): string {
  const own = [...new Set(text)].filter((character) => others.some((other) => !other.includes(character)));
  if (own.length === 0) return '';
  const named = scripts.flatMap(([name, letter]) => (own.some((one) => letter.test(one)) ? [name] : []));
  const codes = own
    .slice(0, mostCodes)
    .map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  const list = [...codes, ...(own.length > mostCodes ? ['…'] : [])].join(', ');
  return `⟨${named.length > 0 ? `${named.join(', ')}: ` : ''}${list}⟩`;
}
