import { expect, it } from 'vitest';
import { exits, Refusal } from '../../lib/cli/approvals/exit-code.ts';

it.each([
  ['not-found', 3],
  ['already-answered', 4],
  ['expired', 4],
  ['superseded', 4],
  ['question-changed', 5],
  ['preview-changed', 5],
  ['input-mismatch', 5],
  ['unauthenticated', 6],
  ['forbidden', 6],
  ['step-up-required', 6],
  ['internal', 1],
  ['constructor', 1],
])('a command that is refused with %s ends with %i [0044.3]', (code, exit) => {
  expect(new Refusal({ code, message: 'No.' }).exit).toBe(exit);
});

it('the exit codes keep their meaning [0044.3]', () => {
  expect(exits).toEqual({
    done: 0,
    failed: 1,
    usage: 2,
    notFound: 3,
    settled: 4,
    changed: 5,
    notAllowed: 6,
  });
});
