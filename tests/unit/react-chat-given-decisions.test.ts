import { describe, expect, it } from 'vitest';
import { createGivenDecisions } from '../../lib/client/chat/given-decisions.ts';

const edited = { id: 'q1', approved: true, input: { amount: 3 } };
const plain = { id: 'q1', approved: true };

describe('a question’s decision', () => {
  it('is final: a second one changes nothing', () => {
    const decisions = createGivenDecisions();
    expect([decisions.give(edited), decisions.give(plain)]).toEqual([true, false]);
    expect(decisions.all()).toEqual([edited]);
  });

  it('is kept while the question is asked again, and replaced by the next one', () => {
    const decisions = createGivenDecisions();
    decisions.give(edited);
    decisions.askedAgain('q1');
    expect(decisions.all()).toEqual([edited]);
    expect(decisions.give(plain)).toBe(true);
    expect(decisions.all()).toEqual([plain]);
  });

  it('opens no other question', () => {
    const decisions = createGivenDecisions();
    decisions.give(edited);
    decisions.askedAgain('q2');
    expect(decisions.give(plain)).toBe(false);
    expect([decisions.of('q1'), decisions.of('q2')]).toEqual([edited, undefined]);
  });

  it('has no reply before the server has replied to it, even if it did to an earlier one', () => {
    const decisions = createGivenDecisions();
    expect(decisions.unconfirmed(['q1'])).toEqual([]);
    decisions.give(edited);
    expect(decisions.unconfirmed(['q1'])).toEqual(['q1']);
    decisions.replied(['q1']);
    expect(decisions.unconfirmed(['q1'])).toEqual([]);
    decisions.askedAgain('q1');
    decisions.give(plain);
    expect(decisions.unconfirmed(['q1'])).toEqual(['q1']);
  });

  it('may be made again after all messages were replaced', () => {
    const decisions = createGivenDecisions();
    decisions.give(edited);
    decisions.allAskedAgain();
    expect(decisions.give(plain)).toBe(true);
  });
});
