import type { JSONSchema7 } from '@ai-sdk/provider';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';

/** JavaScript's engine takes hours for this pattern and `word`. */
export const pattern = '^(?:.?){60}x$';
/** The text that is matched. */
export const word = 'a'.repeat(80);
const text = { type: 'string' };

/** Where a schema can have a pattern, and whether the text does not fit then. */
export const places: [where: string, schema: object, isUnfit: boolean][] = [
  ['itself', { ...text, pattern }, true],
  ['anyOf', { ...text, anyOf: [{ pattern }, { const: 'b' }] }, true],
  ['oneOf', { ...text, oneOf: [{ pattern }, { maxLength: 3 }] }, true],
  ['allOf', { ...text, allOf: [{ pattern }] }, true],
  ['$ref', { ...text, $ref: '#/definitions/hard' }, true],
  ['not', { ...text, not: { pattern } }, false],
  ['if', { ...text, if: { pattern }, else: { pattern: '^b' } }, true],
  ['a date and time', { ...text, format: 'date-time', pattern }, true],
  ['a time', { ...text, pattern: `${pattern}|10:30` }, true],
];

/** An object with a text of this schema. */
export const formOf = (schema: object): JSONSchema7 => ({
  ...{ type: 'object', properties: { word: schema }, required: ['word'] },
  definitions: { hard: { pattern } },
});

/**
 * Fails a test in which JavaScript's engine was to run the pattern. It is not run, so that nothing can hang.
 */
export function neverRunPattern(): void {
  const ran: string[] = [];
  beforeAll(() => {
    const { exec } = RegExp.prototype;
    vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, subject) {
      if (!this.source.includes(pattern)) return exec.call(this, subject);
      ran.push(this.source);
      return null;
    });
  });
  afterAll(() => vi.restoreAllMocks());
  afterEach(() => expect(ran.splice(0)).toEqual([]));
}
