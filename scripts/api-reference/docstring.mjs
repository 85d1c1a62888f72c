/**
 * @typedef {{ text: string, param: readonly string[], returns: readonly string[], throws: readonly string[], see:
 * readonly string[], example: readonly string[], source: readonly string[] }} Docstring Markdown, one string per tag;
 * a parameter's starts with its name
 */

const tags = ['param', 'returns', 'throws', 'see', 'example', 'source'];

/**
 * Parses a docstring. A tag may also follow text on the same line (`… Default 5.`, and then the tag).
 *
 * @param {string} comment without its delimiters
 * @returns {Docstring}
 */
export function readDocstring(comment) {
  const plain = comment
    .replace(/^\*/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .replaceAll(/\{@link (\w+)\}/g, '`$1`');
  const mark = new RegExp(`(?:^|\\s)@(${[...tags, 'template'].join('|')})\\s`, 'g');
  const [text = '', ...pieces] = plain.split(mark);
  const docstring = { text: text.trim(), ...Object.fromEntries(tags.map((tag) => [tag, []])) };
  for (let index = 0; index < pieces.length; index += 2) {
    docstring[pieces[index]]?.push(pieces[index + 1].trim());
  }
  return docstring;
}

/** A longer sentence is cut at a natural break. */
const longestSentence = 140;

/**
 * The first sentence, for lists.
 *
 * @param {string} text
 */
export function firstSentence(text) {
  const [paragraph = ''] = text.split('\n\n');
  const line = paragraph.replaceAll(/\s*\n\s*/g, ' ');
  const sentence = /^.*?\.(?=\s|$)/.exec(line)?.[0] ?? line;
  if (sentence.length <= longestSentence) return sentence;
  return `${/^.*?(?=[:;]\s|$)/.exec(sentence)?.[0].replace(/\.$/, '')}.`;
}
