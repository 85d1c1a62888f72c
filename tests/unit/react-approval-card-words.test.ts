import { defaultCardWords } from 'countersign/react';
import { describe, expect, it } from 'vitest';
import { answerOfKey } from '../../lib/react/card/answer/approval-keys.ts';
import { readableField } from '../../lib/react/card/evidence/readable-field.ts';
import { visibleText } from '../../lib/react/card/evidence/visible-text.ts';
import { timeLeft } from '../../lib/react/card/use-remaining-time.ts';

describe('words on a card', () => {
  it.each([
    ['due_date', 'Due date'],
    ['lastLogin', 'Last login'],
    ['userId', 'User ID'],
    ['sql', 'SQL'],
    ['--', '--'],
  ])('the field %j reads %j', (name, words) => {
    expect(readableField(name)).toBe(words);
  });

  it.each([
    [340, '340 ms'],
    [2140, '2.1 s'],
    [185_000, '3 min 5 s'],
  ])('%d milliseconds read %j', (duration, words) => {
    expect(defaultCardWords.duration(duration)).toBe(words);
  });

  it.each([
    [1, 'Expires in 1 s'],
    [272_000, 'Expires in 4 min 32 s'],
    [3_660_000, 'Expires in 1 h 1 min'],
  ])('a rest of %d milliseconds reads %j', (rest, words) => {
    expect(defaultCardWords.timeLeft(timeLeft(rest))).toBe(words);
  });

  it.each([
    ['completed', 125_000, 'The same request ran 2 minutes ago.'],
    ['completed', 60_000, 'The same request ran 1 minute ago.'],
    ['approved', 5_000, 'The same request was approved less than a minute ago.'],
    ['running', 5_000, 'The same request was started less than a minute ago and is still running.'],
    ['failed', 3_600_000, 'The same request failed 1 hour ago.'],
    ['unknown', 7_200_000, 'The same request was started 2 hours ago. Its outcome is unknown.'],
  ] as const)('an earlier call that is %s, %d milliseconds later, reads %j', (outcome, passed, words) => {
    expect(defaultCardWords.repeated(outcome, timeLeft(passed))).toBe(words);
  });

  it.each([
    ['a right-to-left override', 'pay\u202eecila', 'pay⟨U+202E⟩ecila'],
    ['a zero-width space', 'a\u200bb', 'a⟨U+200B⟩b'],
    ['a control character', 'a\u0007b', 'a⟨U+0007⟩b'],
    ['line breaks and tabs, which are layout', 'a\n\tb', 'a\n\tb'],
    ['the joiner inside an emoji', '👩\u200d🔬', '👩\u200d🔬'],
  ])('%s is made visible or left alone', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });
});

describe('keys inside a question', () => {
  const press = {
    key: 'Enter',
    ctrlKey: true,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    repeat: false,
    isComposing: false,
  };

  it.each([
    ['Ctrl and Enter', press, 'approve'],
    ['⌘ and Enter', { ...press, ctrlKey: false, metaKey: true }, 'approve'],
    ['Ctrl and full stop', { ...press, key: '.' }, 'deny'],
    ['Enter alone', { ...press, ctrlKey: false }, undefined],
    ['a held Ctrl and Enter', { ...press, repeat: true }, undefined],
    ['Enter that ends a composed character', { ...press, isComposing: true }, undefined],
    ['Ctrl, Shift and Enter', { ...press, shiftKey: true }, undefined],
  ])('%s answers as expected', (_, keys, answer) => {
    expect(answerOfKey(keys)).toBe(answer);
  });
});
