import { type Clause, createAdr } from 'countersign/testing';
import { test } from 'vitest';

/** Clauses up to this length, in characters, are shown in full. Of longer clauses, the first sentence is shown. */
const wholeUpTo = 100;

/** The title of a clause's test, with its ids in brackets at the end: `A call runs once [0004.5, T7]`. */
function clauseTitle({ id, sentence }: Clause): string {
  const [references = '', ids] = / \(([A-Z]\d+(?:, [A-Z]\d+)*)\)(?=\.?$)/.exec(sentence) ?? [];
  const text = sentence.replace(references, '').replace(/\.$/, '');
  const [first = text] = text.split(/\. (?=[A-Z`(])/);
  return `${text.length > wholeUpTo ? first : text} [${ids === undefined ? id : `${id}, ${ids}`}]`;
}

/**
 * The clauses of a decision in `docs/adr/` as Vitest tests:
 *
 *     const { clause } = adr('0004-response-timing.md');
 *     clause('0004.1', async () => { … });
 *
 * @throws Error if the document is missing or its clauses are invalid
 */
export const adr = createAdr({
  test: (title, body) => test(title, () => body()),
  title: clauseTitle,
  directory: new URL('../../docs/adr/', import.meta.url),
});
