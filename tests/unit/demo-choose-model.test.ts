import { describe, expect, it } from 'vitest';
import { chooseModel } from '../../app/_model/index.ts';

describe('chooseModel', () => {
  it.each([
    [{}, 'countersign', 'demo'],
    [{ OPENAI_API_KEY: ' ' }, 'countersign', 'demo'],
    [{ OPENAI_API_KEY: 'key' }, 'openai.responses', 'gpt-5.4-mini'],
    [{ OPENAI_API_KEY: 'key', OPENAI_MODEL: 'other' }, 'openai.responses', 'other'],
  ])('with %j returns %s %s', (environment, provider, modelId) => {
    expect(chooseModel(environment)).toMatchObject({ provider, modelId });
  });

  it('refuses a delay that is not a number', () => {
    expect(() => chooseModel({ COUNTERSIGN_DEMO_DELAY_MS: 'fast' })).toThrow(
      /COUNTERSIGN_DEMO_DELAY_MS is "fast"/,
    );
  });
});
