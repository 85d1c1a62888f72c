import { describe, expect, it } from 'vitest';
import { createGivenAnswers } from '../../lib/client/chat/live/given-answers.ts';

const edited = { id: 'q1', approved: true, input: { amount: 3 } };
const plain = { id: 'q1', approved: true };

describe('a question’s answer', () => {
  it('is final: a second one changes nothing', () => {
    const answers = createGivenAnswers();
    expect([answers.give(edited), answers.give(plain)]).toEqual([true, false]);
    expect(answers.all()).toEqual([edited]);
  });

  it('is kept while the question is asked again, and replaced by the next one', () => {
    const answers = createGivenAnswers();
    answers.give(edited);
    answers.askedAgain('q1');
    expect(answers.all()).toEqual([edited]);
    expect(answers.give(plain)).toBe(true);
    expect(answers.all()).toEqual([plain]);
  });

  it('opens no other question', () => {
    const answers = createGivenAnswers();
    answers.give(edited);
    answers.askedAgain('q2');
    expect(answers.give(plain)).toBe(false);
    expect([answers.of('q1'), answers.of('q2')]).toEqual([edited, undefined]);
  });

  it('has no reply before the server has replied to it, even if it did to an earlier one', () => {
    const answers = createGivenAnswers();
    expect(answers.unconfirmed(['q1'])).toEqual([]);
    answers.give(edited);
    expect(answers.unconfirmed(['q1'])).toEqual(['q1']);
    answers.replied(['q1']);
    expect(answers.unconfirmed(['q1'])).toEqual([]);
    answers.askedAgain('q1');
    answers.give(plain);
    expect(answers.unconfirmed(['q1'])).toEqual(['q1']);
  });

  it('may be made again after all messages were replaced', () => {
    const answers = createGivenAnswers();
    answers.give(edited);
    answers.allAskedAgain();
    expect(answers.give(plain)).toBe(true);
  });
});
