import type { UIMessageChunk } from 'ai';
import { describe, expect, it } from 'vitest';
import * as kit from '../../../lib/testing/index.ts';
import * as flow from './timing-flows.ts';
import { plantedEndings } from './timing-planted-endings.ts';
import { plantedFrames } from './timing-planted-frames.ts';
import { plantedQuestions } from './timing-planted-questions.ts';
import { soundTurns } from './timing-sound-turns.ts';

const { before, ending, firstQuestion, secondQuestion } = flow;

/** The rules that a turn breaks, each with the response that breaks it: `T1@0`. */
function broken(responses: UIMessageChunk[][], options?: kit.TimingOptions): string[] {
  const found = kit
    .checkResponseTiming(responses, options)
    .map(({ rule, response }) => `${rule}@${response}`);
  return [...new Set(found)];
}

describe('checkResponseTiming', () => {
  it.each(soundTurns)('finds nothing in %s', (_title, responses, options) => {
    expect(kit.checkResponseTiming(responses, options)).toEqual([]);
  });

  it.each([...plantedQuestions, ...plantedEndings, ...plantedFrames])(
    '%s: detects %s',
    (rule, _title, responses, options) => {
      expect(broken(responses, options)).toEqual([rule]);
    },
  );

  it('detects an empty response', () => {
    expect(broken([[]])).toContain('T15@0');
  });

  it('names the response, the reason and the chunks', () => {
    const leak = kit.output('a');
    const responses = [firstQuestion, before(secondQuestion, 'tool-input-start', leak), ending];
    expect(kit.checkResponseTiming(responses)).toEqual([
      {
        rule: 'T2',
        response: 1,
        message: 'the outcome of call a is not withheld until the last answer',
        chunks: [leak],
      },
    ]);
  });

  it('requires an outcome for a gated server call unless the client executes it', () => {
    const turn = [kit.questionResponse(flow.locate), kit.finalResponse({ texts: ['Tokyo.'] })];
    expect(broken(turn)).toEqual(['T3@1']);
    expect(broken(turn, { clientTools: ['get_location'] })).toEqual([]);
  });
});
