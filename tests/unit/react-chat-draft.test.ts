import type { UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { type Draft, nextResponse, unreleased, withDelta } from '../../lib/client/chat/live/draft.ts';
import type { DraftJson } from '../../lib/protocol/wire/chat/draft.ts';

const begun = (textId: string, delta: string, position: number): DraftJson => ({ textId, delta, position });
const more = (textId: string, delta: string): DraftJson => ({ textId, delta });
const grown = (draft: Draft, ...deltas: readonly DraftJson[]): Draft => deltas.reduce(withDelta, draft);
const shown = (draft: Draft) => draft.map(({ text, position }) => [text, position]);

describe('the draft', () => {
  it('joins the deltas of a text, and keeps texts and their places apart [S3]', () => {
    const draft = grown([], begun('a', 'Let me ', 2), more('a', 'look.'), begun('b', 'Found 10.', 7));
    expect(shown(draft)).toEqual([
      ['Let me look.', 2],
      ['Found 10.', 7],
    ]);
  });

  it('keeps what earlier responses of the turn brought if the next one does not repeat it', () => {
    const before = nextResponse(grown([], begun('a', 'Let me look.', 2)));
    expect(shown(grown(before, begun('b', 'Found 10.', 7)))).toEqual([
      ['Let me look.', 2],
      ['Found 10.', 7],
    ]);
  });

  it.each<[string, DraftJson]>([
    ['with a place', begun('a', 'Let', 2)],
    ['without one', more('a', 'Let')],
  ])('does not shrink while a replay %s is shorter than the text already shown [H2]', (_, first) => {
    let draft = nextResponse(grown([], more('a', 'Let me '), more('a', 'look.')));
    const seen = [first, ...[' me', ' look.', ' Found'].map((delta) => more('a', delta))].map((delta) => {
      draft = withDelta(draft, delta);
      return draft[0]?.text;
    });
    expect(seen).toEqual(['Let me look.', 'Let me look.', 'Let me look.', 'Let me look. Found']);
  });

  it('shows the new words if a step runs again within a response and says something else', () => {
    const first = grown([], begun('a', 'Let me ', 2), more('a', 'look.'));
    expect(shown(grown(first, begun('a', 'I am', 9), more('a', ' looking.')))).toEqual([
      ['I am looking.', 9],
    ]);
  });

  it('drops a text that the server takes back, also one that was shown before', () => {
    const taken = (draft: Draft) => withDelta(draft, { textId: 'b', delta: '', reset: true });
    const draft = grown([], begun('a', 'Let me look.', 2), begun('b', 'Found', 7));
    expect(shown(taken(draft))).toEqual([['Let me look.', 2]]);
    expect(shown(grown(taken(draft), begun('b', 'None found.', 9)))).toEqual([
      ['Let me look.', 2],
      ['None found.', 9],
    ]);
    const again = grown(nextResponse(draft), begun('a', 'Let me look.', 2), begun('b', 'Fo', 7));
    expect(shown(again)).toEqual(shown(draft));
    expect(shown(taken(again))).toEqual([['Let me look.', 2]]);
  });

  it('moves behind a call that was written before it', () => {
    expect(shown(grown([], begun('a', 'Done.', 8), begun('a', '', 10.5)))).toEqual([['Done.', 10.5]]);
  });
});

describe('a draft is shown', () => {
  const text = (words: string, position?: number): UIMessage['parts'][number] => ({
    type: 'text',
    text: words,
    ...(position !== undefined && { providerMetadata: { countersign: { position } } }),
  });
  const message = (...parts: UIMessage['parts']): UIMessage => ({ id: 'm', role: 'assistant', parts });
  const draft = grown([], begun('a', 'Let me look.', 2), begun('b', 'Found', 7), begun('c', ' ', 9));

  it.each<[string, UIMessage | undefined, readonly string[]]>([
    ['before there is a message', undefined, ['Let me look.', 'Found']],
    ['while its part is empty', message(text('', 2), text('', 7)), ['Let me look.', 'Found']],
    ['until its part has all of it', message(text('Let me look.', 2), text('Fou', 7)), ['Found']],
    ['no more when the message has it, and more', message(text('Let me look.', 2), text('Found 10.', 7)), []],
    ['beside the same words in another place', message(text('Found', 2)), ['Let me look.', 'Found']],
  ])('%s', (_, released, texts) => {
    expect(unreleased(draft, released).map((one) => one.text)).toEqual(texts);
  });

  it('until its words are in the message, if the server gives no places', () => {
    const unplaced = grown([], more('a', 'Let me look.'));
    expect(unreleased(unplaced, message(text('Let me')))).toEqual(unplaced);
    expect(unreleased(unplaced, message(text('Let me look. Found')))).toEqual([]);
  });
});
