import { type AuditKey, type SealedEntry, verifyAudit } from 'countersign/audit';
import { describe, expect, it } from 'vitest';
import { createSeals } from '../../../lib/log/seal/audit-keys.ts';

const key = 'an audit key for tests';
const other: AuditKey = { current: { id: 'k2', key: 'a second key for tests' } };
const alice = { to: 'alice', amount: 30 };
const eve = { to: 'eve', amount: 30 };
const seals = createSeals(key);
const digest = (value: unknown) => `${seals.digest(undefined, value)}`;

type Facts = Record<string, unknown>;
const asked = (more: Facts = {}) => ({ type: 'asked', input: alice, ...more });
const approved = (more: Facts = {}) => ({
  type: 'answered',
  approved: true,
  approves: digest(alice),
  ...more,
});
const started = (more: Facts = {}) => ({ type: 'started', input: alice, ...more });
const ended = (more: Facts = {}) => ({ type: 'ended', outcome: 'completed', ...more });

const givenEarly = { type: 'plugin-event', plugin: 'p', early: { id: 'g1', input: alice } };
const usedEarly = { type: 'granted', plugin: 'p', isEarly: true, grantId: 'g1', input: alice };

/** A record whose every entry has a valid seal, whatever it says. */
function sealed(facts: readonly Facts[]): { entries: SealedEntry[]; head: string } {
  let previous: string | null = null;
  const entries = facts.map((each, index) => {
    const entry: Facts = { chatId: 'chat', seq: index + 1, toolCallId: 'c1', toolName: 'pay', ...each };
    previous = seals.make(previous, entry);
    return { ...entry, seal: previous };
  });
  return { entries, head: previous ?? '' };
}

function faultOf(facts: readonly Facts[]) {
  const { entries, head } = sealed(facts);
  return verifyAudit(entries, { key, head });
}

describe('a record with valid seals', () => {
  it.each<[string, Facts[]]>([
    ['an approval and its call', [asked(), approved(), started(), ended()]],
    [
      'an edited one',
      [asked(), approved({ input: eve, approves: digest(eve) }), started({ input: eve }), ended()],
    ],
    ['a denial', [asked(), { type: 'answered', approved: false }, ended({ outcome: 'denied' })]],
    ['a remembered approval', [{ type: 'granted', input: alice }, started(), ended()]],
    ['an early approval', [givenEarly, usedEarly, started(), ended()]],
    ['a policy', [{ type: 'decided', approved: true, input: alice }, started(), ended()]],
    [
      'a call without a gate',
      [{ type: 'requested', gate: 'none', input: alice }, started({ gate: 'none' }), ended()],
    ],
    ['a call of the client', [asked({ executor: 'client' }), approved(), ended({ executor: 'client' })]],
    ['a call that was not run after all', [asked(), approved(), ended({ outcome: 'failed' })]],
    [
      'an outcome that became known',
      [asked(), approved(), started(), ended({ outcome: 'unknown' }), { type: 'resolved' }],
    ],
    [
      'arguments that the schema transforms',
      [asked({ runsAs: { amount: 3000 } }), approved(), started({ runsAs: { amount: 3000 } }), ended()],
    ],
    [
      'redacted arguments',
      [
        asked({ input: { to: '[redacted]' }, inputDigest: digest(alice) }),
        approved(),
        started({ input: { to: '[redacted]' }, inputDigest: digest(alice) }),
        ended(),
      ],
    ],
  ])('is valid: %s', (_name, facts) => {
    expect(faultOf(facts)).toBeUndefined();
  });

  it.each<[string, Facts[], number, RegExp]>([
    ['a start that nothing allows', [asked(), started()], 1, /nothing before it allows/],
    [
      'a start after a denial',
      [asked(), { type: 'answered', approved: false }, started()],
      2,
      /nothing before it/,
    ],
    [
      'a start that a policy refused',
      [{ type: 'decided', approved: false, input: alice }, started()],
      1,
      /nothing/,
    ],
    ['a start before its answer', [asked(), started(), approved()], 1, /nothing before it/],
    [
      'an answer after the start',
      [asked(), approved(), started(), approved()],
      3,
      /answers a call that has started/,
    ],
    ['an early approval that nobody gave', [usedEarly, started()], 0, /nobody had approved the call before/],
    [
      'an early approval that was revoked',
      [givenEarly, { type: 'plugin-event', plugin: 'p', early: null }, usedEarly, started()],
      2,
      /nobody had approved the call before/,
    ],
    [
      'arguments other than those approved',
      [asked(), approved(), started({ input: eve })],
      2,
      /nobody approved/,
    ],
    [
      'arguments other than those edited',
      [asked(), approved({ input: eve, approves: digest(eve) }), started()],
      2,
      /nobody approved/,
    ],
    [
      'arguments other than those a grant covered',
      [{ type: 'granted', input: alice }, started({ input: eve })],
      1,
      /nobody/,
    ],
    [
      'secret arguments other than those approved',
      [asked({ inputDigest: digest(alice) }), approved(), started({ inputDigest: digest(eve) })],
      2,
      /nobody approved/,
    ],
    [
      'parsed arguments other than those shown',
      [asked({ runsAs: { amount: 3000 } }), approved(), started({ runsAs: { amount: 300000 } })],
      2,
      /nobody approved/,
    ],
    ['a second start', [asked(), approved(), started(), started()], 3, /had started before/],
    [
      'a start after the end',
      [asked(), approved(), ended({ outcome: 'cancelled' }), started()],
      3,
      /had ended/,
    ],
    ['a second end', [asked(), approved(), started(), ended(), ended()], 4, /had ended before/],
    ['a result without a start', [asked(), approved(), ended()], 2, /without a start/],
    [
      'an approval of another call',
      [asked(), approved({ toolCallId: 'c2' }), started()],
      2,
      /nothing before it/,
    ],
  ])('is invalid because of %s', (_name, facts, index, message) => {
    expect(faultOf(facts)).toMatchObject({ index, message: expect.stringMatching(message) });
  });

  it('is not accepted with another key', () => {
    const { entries, head } = sealed([asked()]);
    expect(verifyAudit(entries, { key: other, head })).toMatchObject({ index: 0 });
  });
});
