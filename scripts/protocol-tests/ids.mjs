/** The form of a requirement's id: the letter of its page, and a number or, on the page of endpoints, a name. */
const id = '[ABCDHPST]\\d{1,2}|H-[A-Z][a-z]+';
const item = new RegExp(`^(?:(?:${id})(?:-(?:${id}))?|ADR \\d{4}(?:\\.\\d+)?)$`);

/**
 * The ids in a list such as `T1-T3, H2`.
 *
 * @param {string} text
 * @returns {string[]} ranges written out
 */
export function idsIn(text) {
  const ranges = text.matchAll(new RegExp(`\\b(${id})(?:\\s*-\\s*(${id}))?`, 'g'));
  return [...ranges].flatMap(([, first, last]) => (last === undefined ? [first] : between(first, last)));
}

/** @returns {string[]} the ids of a range within one letter; empty for anything else */
function between(first, last) {
  const [from, to] = [first, last].map((end) => Number(end.slice(1)));
  if (first[0] !== last[0] || !(from < to)) return [first, last];
  return Array.from({ length: to - from + 1 }, (_, index) => `${first[0]}${from + index}`);
}

/**
 * The references at the end of a test title: `… [H10, T1-T3, ADR 0020]`.
 *
 * @param {string} title
 * @returns {string[]} the items of the list; empty if the brackets contain something else, such as `[DONE]`
 */
export function citedBy(title) {
  const items = /\[([^\]]+)\]\s*$/.exec(title)?.[1]?.split(', ') ?? [];
  return items.some((cited) => item.test(cited) || /^[ABCDHPST]$/.test(cited)) ? items : [];
}

/** Whether a title starts with ids. They belong at its end. @param {string} title */
export function beginsWithId(title) {
  return /^[ABCDHPST]\d{1,2}(?:-|,|:| )/.test(title);
}
