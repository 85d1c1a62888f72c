import { expect, it } from 'vitest';
import { jsonWithText } from '../../lib/server/json-with-text.ts';

it('replaces an `output` at any place among the fields by the text [ADR 0042]', async () => {
  async function* text() {
    yield 'one "';
    yield 'two';
  }
  const response = jsonWithText({ output: { bytes: 8 }, toolName: 'read' }, text());
  expect(await response.json()).toEqual({ toolName: 'read', output: 'one "two' });
});
