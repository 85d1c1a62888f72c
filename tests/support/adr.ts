import { createAdr } from 'countersign/testing';
import { test } from 'vitest';

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
  directory: new URL('../../docs/adr/', import.meta.url),
});
