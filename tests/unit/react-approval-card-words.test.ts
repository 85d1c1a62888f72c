import { defaultCardWords } from 'countersign/react';
import { describe, expect, it } from 'vitest';
import { answerOfKey } from '../../lib/client/card/approval-keys.ts';
import { readableField } from '../../lib/client/text/readable-field.ts';
import { timeLeft } from '../../lib/client/text/time-left.ts';
import { visibleText } from '../../lib/client/text/visible-text.ts';

describe('texts on a card', () => {
  it.each([
    ['due_date', 'Due date'],
    ['lastLogin', 'Last login'],
    ['userId', 'User ID'],
    ['sql', 'SQL'],
    ['--', '--'],
  ])('the field %j is labelled %j', (name, words) => {
    expect(readableField(name)).toBe(words);
  });

  it.each([
    [340, '340 ms'],
    [2140, '2.1 s'],
    [185_000, '3 min 5 s'],
  ])('%d milliseconds are shown as %j', (duration, words) => {
    expect(defaultCardWords.duration(duration)).toBe(words);
  });

  it.each([
    [1, 'Expires in 1 s'],
    [272_000, 'Expires in 4 min 32 s'],
    [3_660_000, 'Expires in 1 h 1 min'],
  ])('a remaining time of %d milliseconds is shown as %j', (rest, words) => {
    expect(defaultCardWords.timeLeft(timeLeft(rest))).toBe(words);
  });

  it.each([
    ['completed', 125_000, 'The same request ran 2 minutes ago.'],
    ['completed', 60_000, 'The same request ran 1 minute ago.'],
    ['approved', 5_000, 'The same request was approved less than a minute ago.'],
    ['running', 5_000, 'The same request was started less than a minute ago and is still running.'],
    ['failed', 3_600_000, 'The same request failed 1 hour ago.'],
    ['unknown', 7_200_000, 'The same request was started 2 hours ago. Its outcome is unknown.'],
  ] as const)(
    'an earlier call that is %s, %d milliseconds later, is shown as %j',
    (outcome, passed, words) => {
      expect(defaultCardWords.repeated(outcome, timeLeft(passed))).toBe(words);
    },
  );

  it.each([
    ['a right-to-left override', 'pay\u202eecila', 'pay⟨U+202E right-to-left override⟩ecila'],
    ['a zero-width space', 'a\u200bb', 'a⟨U+200B zero width space⟩b'],
    ['a control character', 'a\u0007b', 'a⟨U+0007⟩b'],
    ['line breaks and tabs, which are layout', 'a\n\tb', 'a\n\tb'],
    ['a joiner between Latin letters', 'a\u200db', 'a⟨U+200D zero width joiner⟩b'],
    ['a joiner at the end of an Arabic word', 'شركة\u200c', 'شركة⟨U+200C zero width non-joiner⟩'],
    ['a joiner within a Persian word', 'می\u200cخواهم', 'می\u200cخواهم'],
    ['a selector after a letter', 'a\ufe0f', 'a⟨U+FE0F variation selector⟩'],
    ['a selector after an emoji', '✈\ufe0f 1\ufe0f\u20e3', '✈\ufe0f 1\ufe0f\u20e3'],
    ['a grapheme joiner', 'a\u034fb', 'a⟨U+034F combining grapheme joiner⟩b'],
    ['a Hangul filler', 'a\u3164\u1160', 'a⟨U+3164 Hangul filler⟩⟨U+1160 Hangul filler⟩'],
    ['a blank Braille pattern', '\u2800', '⟨U+2800 blank Braille pattern⟩'],
    ['a no-break space', 'a\u00a0b', 'a⟨U+00A0 no-break space⟩b'],
    ['a wide space between Japanese words', '山田\u3000太郎', '山田\u3000太郎'],
    ['a Cyrillic letter in a Latin word', 'P\u0430yPal', 'P\u0430yPal⟨mixed scripts: Latin, Cyrillic⟩'],
    ['words of one script each', 'Москва Paris Ωmega', 'Москва Paris Ωmega⟨mixed scripts: Latin, Greek⟩'],
    ['Latin and Chinese in one word', 'VIP会员', 'VIP会员'],
    ['accents, as letters or on their own', 'é e\u0301 naïve', 'é e\u0301 naïve'],
    ['the joiner inside an emoji', '👩\u200d🔬', '👩\u200d🔬'],
  ])('%s is made visible or left unchanged', (_, text, shown) => {
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
