import { describe, expect, it } from 'vitest';
import { answerOfKey } from '../../app/_chat/approval-keys.ts';
import { parseDescriptor, parseQuestion } from '../../app/_chat/question.ts';
import { readableDuration, readableName } from '../../app/_chat/readable-name.ts';
import { remainingTime } from '../../app/_chat/use-remaining-time.ts';
import { visibleText } from '../../app/_chat/visible-text.ts';

describe('words on the page', () => {
  it.each([
    ['process_payment', 'Process payment'],
    ['lastLogin', 'Last login'],
    ['userId', 'User ID'],
    ['sql', 'SQL'],
    ['--', '--'],
  ])('the name %j reads %j', (name, words) => {
    expect(readableName(name)).toBe(words);
  });

  it.each([
    [340, '340 ms'],
    [2140, '2.1 s'],
    [185_000, '3 min 5 s'],
  ])('%d milliseconds read %j', (duration, words) => {
    expect(readableDuration(duration)).toBe(words);
  });

  it.each([
    [0, 'Expired'],
    [1, 'Expires in 1 s'],
    [272_000, 'Expires in 4 min 32 s'],
    [3_660_000, 'Expires in 1 h 1 min'],
  ])('a rest of %d milliseconds reads %j', (rest, words) => {
    expect(remainingTime(rest)).toBe(words);
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

describe('a question from the wire', () => {
  it('can still be asked when its descriptor is missing', () => {
    expect(parseDescriptor(undefined, 'Pay')).toEqual({ description: 'Run “Pay”', mayAnswer: true });
  });

  it('loses only the field that makes no sense', () => {
    const odd = { description: 'Pay Bob 40', risk: 'enormous', mayAnswer: false };
    expect(parseDescriptor(odd, 'Pay')).toEqual({
      description: 'Pay Bob 40',
      risk: undefined,
      mayAnswer: false,
    });
  });

  it.each(['', 'null', '{"id":1}'])('is nothing when the feed says %j', (json) => {
    expect(parseQuestion(json)).toBeUndefined();
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
  };

  it.each([
    ['Ctrl and Enter', press, 'approve'],
    ['⌘ and Enter', { ...press, ctrlKey: false, metaKey: true }, 'approve'],
    ['Ctrl and full stop', { ...press, key: '.' }, 'deny'],
    ['Enter alone', { ...press, ctrlKey: false }, undefined],
    ['a held Ctrl and Enter', { ...press, repeat: true }, undefined],
    ['Ctrl, Shift and Enter', { ...press, shiftKey: true }, undefined],
  ])('%s answers as expected', (_, keys, answer) => {
    expect(answerOfKey(keys)).toBe(answer);
  });
});
