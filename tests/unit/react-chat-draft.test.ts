import { describe, expect, it } from 'vitest';
import {
  type Draft,
  draftText,
  emptyDraft,
  isBeginningOf,
  nextResponse,
  unreleased,
  withDelta,
} from '../../lib/client/chat/draft.ts';

function grown(draft: Draft, ...deltas: readonly (readonly [string, string])[]): Draft {
  return deltas.reduce((sum, [textId, delta]) => withDelta(sum, { textId, delta }), draft);
}

describe('the draft', () => {
  it('joins the deltas of a block, and joins blocks with a blank line', () => {
    const draft = grown(emptyDraft, ['a', 'Let me '], ['a', 'look.'], ['b', 'Found 10.']);
    expect(draftText(draft)).toBe('Let me look.\n\nFound 10.');
  });

  it('keeps what earlier responses of the turn showed if the next one does not repeat it', () => {
    const draft = grown(nextResponse(grown(emptyDraft, ['a', 'Let me look.'])), ['b', 'Found 10.']);
    expect(draftText(draft)).toBe('Let me look.\n\nFound 10.');
  });

  it('does not shrink while a replay is shorter than the text already shown', () => {
    const shown = grown(emptyDraft, ['a', 'Let me look.']);
    let draft = nextResponse(shown);
    const seen = ['Let', ' me', ' look.', ' Found'].map((delta) => {
      draft = withDelta(draft, { textId: 'a', delta });
      return draftText(draft);
    });
    expect(seen).toEqual(['Let me look.', 'Let me look.', 'Let me look.', 'Let me look. Found']);
  });

  it('drops a text that the server takes back, also where it was loaded or shown before', () => {
    const taken = (draft: Draft) => withDelta(draft, { textId: 'b', delta: '', reset: true });
    const shown = grown(emptyDraft, ['a', 'Let me look.'], ['b', 'Found']);
    expect(draftText(taken(shown))).toBe('Let me look.');
    expect(draftText(grown(taken(shown), ['b', 'None found.']))).toBe('Let me look.\n\nNone found.');
    const again = grown(nextResponse(shown), ['a', 'Let me look.'], ['b', 'Fo']);
    expect(draftText(again)).toBe('Let me look.\n\nFound');
    expect(draftText(taken(again))).toBe('Let me look.');
  });

  it('ignores how blocks were joined elsewhere', () => {
    const stored: Draft = { ...emptyDraft, earlier: 'Let me look. Found 10.' };
    expect(draftText(grown(stored, ['a', 'Let me look.'], ['b', 'Found 10.']))).toBe(
      'Let me look.\n\nFound 10.',
    );
  });

  it.each([
    ['', 'any text', true],
    ['Let me', 'Let me look.', true],
    ['Let me\n\nlook', 'Let me look.', true],
    ['Found', 'Let me look.', false],
    ['Let me look. Done', 'Let me look.', false],
  ])('%j begins %j: %s', (beginning, text, expected) => {
    expect(isBeginningOf(beginning, text)).toBe(expected);
  });

  it.each([
    ['before anything is released', 'Let me look.', '', 'Let me look.'],
    ['while less is released', 'Let me look. Found', 'Let me look.', 'Let me look. Found'],
    ['no more when all of it is released', 'Let me look.', 'Let me look.', ''],
    ['no more when the message says something else', 'Let me look.', 'Stopped.', ''],
  ])('is shown %s', (_, draft, released, shown) => {
    expect(unreleased(draft, released)).toBe(shown);
  });
});
