import { describe, expect, it, vi } from 'vitest';
import { restoreSecrets } from '../../lib/commands/answer/edit/restore-secrets.ts';
import { redactParsed } from '../../lib/log/redaction.ts';
import {
  type FlowEvent,
  type JsonValue,
  parseToolCallId,
  redact,
  strikeOut,
} from '../../lib/protocol/index.ts';
import { createRedaction } from '../../lib/views/reader/redact-events.ts';

/** As it comes from outside: with own keys that an object literal cannot have. */
const parsed = (text: string): JsonValue => JSON.parse(text);

const redactions: [name: string, value: JsonValue, paths: string[], expected: JsonValue][] = [
  ['a key', { card: '4111', to: 'A' }, ['card'], { card: '[redacted]', to: 'A' }],
  [
    'a nested key',
    { card: { number: '4111', cvc: 9 } },
    ['card.number'],
    { card: { number: '[redacted]', cvc: 9 } },
  ],
  ['a whole object', { card: { number: '4111' } }, ['card'], { card: '[redacted]' }],
  [
    'a number, a boolean and null',
    { a: 1, b: true, c: null },
    ['a', 'b', 'c'],
    { a: '[redacted]', b: '[redacted]', c: '[redacted]' },
  ],
  [
    'every item of a list',
    { of: [{ iban: 'x', n: 1 }, { iban: 'y' }] },
    ['of.*.iban'],
    { of: [{ iban: '[redacted]', n: 1 }, { iban: '[redacted]' }] },
  ],
  ['one item of a list', ['a', 'b'], ['1'], ['a', '[redacted]']],
  [
    'every key of an object',
    { env: { A: 'x', B: 'y' } },
    ['env.*'],
    { env: { A: '[redacted]', B: '[redacted]' } },
  ],
  ['lists in lists', [[['x']], []], ['*.*.*'], [[['[redacted]']], []]],
  ['the whole', { card: '4111' }, [''], '[redacted]'],
  [
    'a part of what is redacted already',
    { card: { number: '4111' } },
    ['card', 'card.number'],
    { card: '[redacted]' },
  ],
  [
    'a string on the way: it may be the unparsed object',
    { card: '{"number":"4111"}' },
    ['card.number'],
    { card: '[redacted]' },
  ],
  ['arguments that do not parse at all', '{"card":{"number":"4111', ['card.number'], '[redacted]'],
  [
    'nothing where the path leads nowhere',
    { to: 'A', card: null, n: 4 },
    ['card.number', 'n.x', 'gone'],
    { to: 'A', card: null, n: 4 },
  ],
  ['nothing for no paths', { card: '4111' }, [], { card: '4111' }],
  [
    'an own key named like a prototype’s',
    parsed('{"__proto__":{"pin":"4111"},"constructor":"4111"}'),
    ['__proto__.pin', 'constructor'],
    parsed('{"__proto__":{"pin":"[redacted]"},"constructor":"[redacted]"}'),
  ],
  ['nothing of a prototype', { to: 'A' }, ['toString', '__proto__.toString'], { to: 'A' }],
  [
    'not a key that holds a dot: its path leads elsewhere',
    { 'card.number': '4111' },
    ['card.number'],
    { 'card.number': '4111' },
  ],
  [
    'a key that holds a dot, by *',
    { in: { 'card.number': '4111' } },
    ['in.*'],
    { in: { 'card.number': '[redacted]' } },
  ],
];

describe('redact', () => {
  it.each(redactions)('redacts %s', (_name, value, paths, expected) => {
    const before = JSON.stringify(value);
    const once = redact(value, paths);
    expect(JSON.stringify(once)).toBe(JSON.stringify(expected));
    expect(redact(once, paths)).toEqual(once);
    expect(JSON.stringify(value)).toBe(before);
  });
});

describe('strikeOut', () => {
  const card = (number: JsonValue) => ({ card: { number } });
  it.each<[name: string, text: string, value: JsonValue, expected: string]>([
    ['each place', '4111 is not 4111.', card('4111'), '[redacted] is not [redacted].'],
    ['a number', 'PIN 1234 is wrong.', card(1234), 'PIN [redacted] is wrong.'],
    ['its spelling in JSON', 'Got {"number":"a\\"b\\nc"}.', card('a"b\nc'), 'Got {"number":"[redacted]"}.'],
    ['its spelling in a URL', 'GET /?n=a%20b%2Fc', card('a b/c'), 'GET /?n=[redacted]'],
    [
      'all that is in a secret object',
      'x-ray and yankee',
      card({ a: 'x-ray', b: ['yankee'] }),
      '[redacted] and [redacted]',
    ],
    ['the longer of two first', 'key-long, key', card(['key', 'key-long']), '[redacted], [redacted]'],
    [
      'no short value that may occur by chance',
      'A sum of 1 or 42',
      card(['1', 42, true, '']),
      'A sum of 1 or 42',
    ],
    ['two that overlap, without a rest', 'Got abcdef.', card(['abcd', 'cdef']), 'Got [redacted].'],
    ['two that touch, one by one', 'Got abcdef.', card(['abc', 'def']), 'Got [redacted][redacted].'],
    ['no part of its own mark', 'Got abcd.', card(['abcd', 'redacted']), 'Got [redacted].'],
    ['half of a surrogate pair without harm', 'Got abc\ud83d.', card('abc\ud83d'), 'Got [redacted].'],
    ['nothing if there is no secret', '4111', { card: null }, '4111'],
  ])('removes %s', (_name, text, value, expected) => {
    expect(strikeOut(text, value, ['card.number'])).toBe(expected);
  });

  it('leaves a text unchanged if nothing is secret', () => {
    expect(strikeOut('4111', { card: '4111' })).toBe('4111');
    expect(strikeOut('4111', { card: '4111' }, [])).toBe('4111');
  });
});

describe('restoreSecrets', () => {
  const paths = ['card.number', 'accounts.*.iban'];
  const original = {
    amount: 30,
    note: 'as [redacted] before',
    card: { number: '4111', name: 'A' },
    accounts: [
      { name: 'A', iban: 'DE1' },
      { name: 'B', iban: 'DE2' },
    ],
  };
  const shown = redact(original, paths) as Record<string, JsonValue>;
  const hidden = '[redacted]';
  const a = { name: 'A', iban: hidden };
  const b = { name: 'B', iban: hidden };
  const with_ = (part: object, of: object = shown) => ({ ...of, ...part });

  it.each<[name: string, edited: unknown, expected: unknown]>([
    ['what came back as shown', shown, original],
    ['a secret beside an edited field', with_({ amount: 9 }), with_({ amount: 9 }, original)],
    [
      'a secret in an edited object',
      with_({ card: { number: hidden, name: 'Z' } }),
      with_({ card: { number: '4111', name: 'Z' } }, original),
    ],
    [
      'nothing for a secret that was entered again',
      with_({ card: { number: '42', name: 'A' } }),
      with_({ card: { number: '42', name: 'A' } }, original),
    ],
    ['nothing for a field that was removed', { amount: 1 }, { amount: 1 }],
    [
      'the items of a list that stayed',
      with_({ accounts: [a, { name: 'C', iban: 'DE3' }] }),
      with_({ accounts: [original.accounts[0], { name: 'C', iban: 'DE3' }] }, original),
    ],
    ['nothing for a list without secrets', with_({ accounts: [] }), with_({ accounts: [] }, original)],
    ['a field whatever the order of keys', with_({ accounts: [{ iban: hidden, name: 'A' }, b] }), original],
  ])('restores %s', (_name, edited, expected) => {
    expect(restoreSecrets(edited, original, paths)).toEqual({ input: expected });
  });

  it.each<[name: string, edited: unknown]>([
    ['in a field that was not secret', with_({ amount: hidden })],
    ['in a new field', with_({ extra: hidden })],
    ['inside a text', with_({ card: { number: `x${hidden}`, name: 'A' } })],
    ['deep in something new', with_({ extra: [{ deep: [hidden] }] })],
    ['moved to another key', with_({ card: { name: hidden } })],
    ['in a list that lost an item', with_({ accounts: [b] })],
    ['in a list that gained an item', with_({ accounts: [a, b, b] })],
    ['in a list whose items changed places', with_({ accounts: [b, a] })],
    ['under another name in a list', with_({ accounts: [{ name: 'Eve', iban: hidden }, b] })],
    ['in place of the whole', hidden],
    ['in a list of placeholders', [hidden]],
  ])('refuses a placeholder %s', (_name, edited) => {
    expect(restoreSecrets(edited, original, paths)).toBeUndefined();
  });

  it('refuses placeholders in a list of secrets that lost an item: which one is left is not known', () => {
    expect(restoreSecrets({ pins: [hidden] }, { pins: ['1111', '2222'] }, ['pins.*'])).toBeUndefined();
    const both = { pins: ['1111', '2222'] };
    expect(restoreSecrets({ pins: [hidden, hidden] }, both, ['pins.*'])).toEqual({ input: both });
  });

  it('accepts the placeholder for the whole input if all of it is secret', () => {
    expect(restoreSecrets(hidden, original, [''])).toEqual({ input: original });
    expect(restoreSecrets({ amount: 1 }, original, [''])).toEqual({ input: { amount: 1 } });
  });

  it('reads only own keys of the original', () => {
    const edited = parsed('{"__proto__":"[redacted]","toString":"[redacted]"}');
    expect(restoreSecrets(edited, { pin: '1' }, ['pin'])).toBeUndefined();
    const proto = parsed('{"__proto__":{"pin":"4111"},"n":1}');
    const back = restoreSecrets(parsed('{"__proto__":{"pin":"[redacted]"},"n":2}'), proto, ['__proto__.pin']);
    expect(JSON.stringify(back?.input)).toBe('{"__proto__":{"pin":"4111"},"n":2}');
  });
});

describe('redactParsed', () => {
  const input = { card: '4111', to: 'Ana' };

  it.each<[name: string, value: unknown, expected: unknown]>([
    ['its place', { card: '4111', to: 'Ana' }, { card: '[redacted]', to: 'Ana' }],
    ['another text', { note: 'card 4111' }, { note: 'card [redacted]' }],
    ['a number', { digits: [4111, 7] }, { digits: ['[redacted]', 7] }],
    ['a bigint', { digits: 4111n }, { digits: '[redacted]' }],
    ['a key', { '4111': 'Ana' }, { '[redacted]': 'Ana' }],
    ['an object of a class', { cards: new Map([['4111', 1]]) }, { cards: '[redacted]' }],
  ])('hides a secret that the schema moved to %s', (_name, value, expected) => {
    expect(redactParsed(value, input, ['card'])).toEqual(expected);
  });
});

describe('the cost of redaction', () => {
  const input = (count: number) => ({
    cards: Array.from({ length: count }, (_, index) => `secret-${index}`),
  });
  const items = (count: number) =>
    Array.from({ length: count }, (_, index) => `It is secret-${index}, not secret-${index + 1}.`);

  it.each<[name: string, work: (count: number) => unknown]>([
    ['a long text and many secrets', (count) => strikeOut(items(count).join(' '), input(count), ['cards.*'])],
    ['many texts and many secrets', (count) => redactParsed(items(count), input(count), ['cards.*'])],
    [
      'many secrets that begin alike',
      (count) => strikeOut('ab'.repeat(count), { cards: ['ab'.repeat(count)] }, ['cards.*']),
    ],
  ])('is twice as large for twice as much: %s', (_name, work) => {
    expect(charactersRead(() => work(400))).toBeLessThan(2.5 * charactersRead(() => work(200)));
  });
});

/** How many characters `work` reads, one at a time or by the search for a text. */
function charactersRead(work: () => unknown): number {
  const one = vi.spyOn(String.prototype, 'charCodeAt');
  const all = vi.spyOn(String.prototype, 'replaceAll');
  try {
    work();
    return (
      one.mock.calls.length +
      all.mock.contexts.map((text) => String(text).length).reduce((sum, length) => sum + length, 0)
    );
  } finally {
    vi.restoreAllMocks();
  }
}

describe('the redaction of a log', () => {
  it('hides the late output of a call whose request was not read, because its secrets are unknown', () => {
    const resolved: FlowEvent = {
      ...{ type: 'outcome-resolved', toolCallId: parseToolCallId('c1'), seq: 9, at: 0 },
      ...{ source: 'late', outcome: 'completed', output: { card: '4111' } },
      modelOutput: { type: 'json', value: { card: '4111' } },
    };
    expect(JSON.stringify(createRedaction()(resolved))).not.toContain('4111');
  });
});
