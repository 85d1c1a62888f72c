/** A requirement's id: the letter of its page, and a number or, on the page of endpoints, a name. */
const id = '[ABCDHPST]\\d{1,2}|H-[A-Z][a-z]+';
const list = `(?:${id})(?:\\s*-\\s*(?:${id}))?(?:(?:,\\s*|\\s+and\\s+|\\s+)(?:${id})(?:\\s*-\\s*(?:${id}))?)*`;

/**
 * The ids in a list such as `T1-T3, H2` or `T1 T2`.
 *
 * @param {string} text
 * @returns {string[]} ranges written out
 */
export function idsIn(text) {
  const ranges = text.matchAll(new RegExp(`\\b(${id})(?:\\s*-\\s*(${id}))?`, 'g'));
  return [...ranges].flatMap(([, first, last]) => (last === undefined ? [first] : between(first, last)));
}

/** @returns {string[]} of one letter only; anything else is no range */
function between(first, last) {
  const [from, to] = [first, last].map((end) => Number(end.slice(1)));
  if (first[0] !== last[0] || !(from < to)) return [first, last];
  return Array.from({ length: to - from + 1 }, (_, index) => `${first[0]}${from + index}`);
}

/**
 * The ids that a test title names: in brackets at its end, or in front of it.
 *
 * @param {string} title
 * @returns {string[]}
 */
export function idsOfTitle(title) {
  const end = new RegExp(`[[(](${list})[\\])]\\s*$`).exec(title)?.[1] ?? '';
  const start = new RegExp(`^(${list})(?::|\\s|$)`).exec(title)?.[1] ?? '';
  return [...new Set([...idsIn(start), ...idsIn(end)])];
}
