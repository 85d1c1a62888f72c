import type { UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { callsOf, itemsOf } from '../../lib/client/chat/chat-items.ts';
import {
  initialLiveParts,
  type LiveEvent,
  type LiveParts,
  reduceLiveParts,
} from '../../lib/client/chat/live/live-parts.ts';
import { askedAgain, type ChatPart } from '../../lib/client/chat/message-parts.ts';

const step: ChatPart = { type: 'step-start' };
const text = (words: string): ChatPart => ({ type: 'text', text: words });
const done = (toolCallId: string): ChatPart => ({
  type: 'tool-search',
  toolCallId,
  state: 'output-available',
  input: {},
  output: {},
});
const asking = (toolCallId: string): ChatPart => ({
  type: 'tool-search',
  toolCallId,
  state: 'approval-requested',
  input: {},
  approval: { id: 'q1' },
});

const message = (...parts: ChatPart[]): UIMessage => ({ id: 'm', role: 'assistant', parts });
const quiet: LiveParts = initialLiveParts(undefined);
const settled = { isLast: true, isRunning: false, draft: [] };
const drafted = (text: string, position?: number) => ({ textId: text, text, brought: text, position });

/** A part with its place among all that the turn has made. */
const at = (position: number, part: ChatPart): ChatPart => {
  const name = part.type === 'text' ? 'providerMetadata' : 'callProviderMetadata';
  return { ...part, [name]: { countersign: { position } } };
};

const kinds = (items: ReturnType<typeof itemsOf>) =>
  items.map((item) => (item.type === 'call' ? `call ${item.call.state}` : item.type));

it('asks again only the question whose answer was not confirmed, beside one whose result is held', () => {
  const answeredPart = (toolCallId: string, id: string): ChatPart => ({
    ...{ type: 'tool-pay', toolCallId, state: 'approval-responded', input: {} },
    approval: { id, approved: true },
  });
  const [again] = askedAgain([message(answeredPart('c1', 'q1'), answeredPart('c2', 'q2'))], ['q2']);
  expect(again?.parts).toMatchObject([{ state: 'approval-responded' }, { state: 'approval-requested' }]);
});

describe('a call whose message has this page’s answer', () => {
  const given = { approved: true, at: '2030-01-01T00:00:00Z' };
  const theirs = {
    approved: false,
    at: '2030-01-01T00:00:00Z',
    by: { id: 'eve', name: 'Eve' },
    reason: 'No.',
  };
  const part: ChatPart = {
    type: 'tool-pay',
    toolCallId: 'c1',
    state: 'approval-responded',
    input: {},
    approval: { id: 'q1', approved: true },
  };
  const answered: LiveEvent = { type: 'answered', id: 'q1', answer: given };
  const acknowledged: LiveEvent = { type: 'acknowledged', ids: ['q1'] };
  const settledByEve: LiveEvent = { type: 'settled', question: { id: 'q1', answer: theirs } };

  it.each<[string, readonly LiveEvent[], object]>([
    ['is sending until the server confirms it', [answered], { state: 'sending', sending: given }],
    [
      'is approved then',
      [answered, acknowledged],
      { state: 'approved', approval: { approved: true }, answer: given },
    ],
    [
      'is denied if another answer was first',
      [answered, settledByEve],
      { state: 'denied', approval: { approved: false, reason: 'No.' }, answer: theirs },
    ],
  ])('%s', (_, events, shown) => {
    const live = events.reduce(reduceLiveParts, initialLiveParts(undefined));
    expect(callsOf([message(part)], live).get('c1')).toMatchObject(shown);
  });

  it('is the one in the message if it differs from the one that is being sent', () => {
    const denied: ChatPart = { ...part, approval: { id: 'q1', approved: false } };
    const live = reduceLiveParts(initialLiveParts(undefined), answered);
    const call = callsOf([message(denied)], live).get('c1');
    expect(call).toMatchObject({ state: 'denied', approval: { approved: false } });
    expect(call?.answer).toBeUndefined();
  });
});

describe('the items of an answer', () => {
  it('put text and calls in the order in which they were made, across responses [T3]', () => {
    const parts = [
      step,
      at(7, done('asked')),
      step,
      at(4, text('Let me look.')),
      at(9, text('Found it.')),
      at(11.5, text('And after a call.')),
      at(6, done('unasked')),
      at(11, done('last')),
    ];
    const items = itemsOf(message(...parts), quiet, settled);
    expect(items.map((item) => ('text' in item ? item.text : item.key))).toEqual([
      'Let me look.',
      'unasked',
      'asked',
      'Found it.',
      'last',
      'And after a call.',
    ]);
  });

  it('keep their keys while later parts of the response arrive', () => {
    const begun = [step, at(4, text('Let me look.')), at(9, text('Found it.'))];
    const keys = itemsOf(message(...begun), quiet, settled).map(({ key }) => key);
    const items = itemsOf(message(...begun, at(6, done('a'))), quiet, settled);
    expect(items.map(({ key }) => key)).toEqual([keys[0], 'a', keys[1]]);
  });

  it('keep the order of the wire where parts have no position', () => {
    const parts = message(step, text('Let me look.'), done('a'), text('Found it.'));
    expect(kinds(itemsOf(parts, quiet, settled))).toEqual(['text', 'call done', 'text']);
  });

  it('put invalid input, whose position is with its outcome, in its place', () => {
    const invalid = { ...done('a'), resultProviderMetadata: { countersign: { position: 3 } } } as ChatPart;
    const items = itemsOf(message(step, at(2, text('One.')), at(4, text('Two.')), invalid), quiet, settled);
    expect(kinds(items)).toEqual(['text', 'call done', 'text']);
  });

  it('put a question after the text that leads to it', () => {
    const parts = message(step, text('Let me look.'), asking('a'));
    expect(kinds(itemsOf(parts, quiet, settled))).toEqual(['text', 'question']);
  });

  it('show a question of an earlier message as withdrawn, because it can no longer be answered', () => {
    const items = itemsOf(message(step, asking('a')), quiet, { ...settled, isLast: false });
    expect(kinds(items)).toEqual(['call withdrawn']);
  });

  it('show a running call before any part of it arrives, with the key that it keeps', () => {
    const data = { toolCallId: 'a', toolName: 'search', kind: 'function', phase: 'started', at: 'now' };
    const live = reduceLiveParts(quiet, { type: 'received', part: { type: 'data-tool-lifecycle', data } });
    const running = itemsOf(message(step), live, { ...settled, isRunning: true });
    const released = itemsOf(message(step, done('a')), live, settled);
    expect(kinds(running)).toEqual(['call running']);
    expect(released.map((item) => item.key)).toEqual(running.map((item) => item.key));
    const both = itemsOf(message(step, done('a')), live, { ...settled, isRunning: true });
    expect(kinds(both)).toEqual(['call done']);
  });

  it('show a call while the model writes it, and then as it is reported [S17, T18]', () => {
    const written = (delta: string | undefined, more: object = {}): LiveEvent => ({
      type: 'received',
      part: { type: 'data-tool-input', data: { toolCallId: 'a', toolName: 'search', delta, ...more } },
    });
    const data = { toolCallId: 'a', toolName: 'search', phase: 'requested' };
    const requested: LiveEvent = { type: 'received', part: { type: 'data-tool-lifecycle', data } };
    const shown = (...events: LiveEvent[]) =>
      itemsOf(message(step), events.reduce(reduceLiveParts, quiet), { ...settled, isRunning: true }).map(
        (item) => ('call' in item ? [item.key, item.call.state, item.call.title, item.call.input] : item),
      );
    expect(shown(written(''))).toEqual([['a', 'preparing', 'Search', undefined]]);
    expect(shown(written(''), written('{"q":'))).toEqual([['a', 'preparing', 'Search', '{"q":']]);
    const title = { title: 'Look up' };
    const whole = [written('', title), written('{"q":', title), written('1}', title)];
    expect(shown(...whole)).toEqual([['a', 'preparing', 'Look up', { q: 1 }]]);
    expect(shown(...whole, requested)).toEqual([]);
    expect(shown(...whole, written(undefined))).toEqual([]);
    expect(shown(...whole, { type: 'response-began' }, ...whole)).toEqual(shown(...whole));
  });

  it('put each draft where its part will stand, among the calls and the question [T6]', () => {
    const parts = message(step, at(5, asking('b')));
    const data = { toolCallId: 'a', toolName: 'search', phase: 'started', position: 3 };
    const live = reduceLiveParts(quiet, { type: 'received', part: { type: 'data-tool-lifecycle', data } });
    const draft = [drafted('Let me look.', 2), drafted('Found it.', 4), drafted('After.', 5.5)];
    const running = itemsOf(parts, live, { isLast: true, isRunning: true, draft });
    const order = ['Let me look.', 'a', 'Found it.', 'b', 'After.'];
    expect(running.map((item) => ('text' in item ? item.text : item.key))).toEqual(order);
    const released = [2, 4, 5.5].map((position, index) => at(position, text(draft[index]?.text ?? '')));
    const whole = message(step, at(5, done('b')), step, ...released, at(3, done('a')));
    const items = itemsOf(whole, live, settled);
    expect(items.map((item) => ('text' in item ? item.text : item.key))).toEqual(order);
  });

  it('put a call that is being written, and drafts without a place, in the order of the server or last', () => {
    const written: LiveEvent = {
      type: 'received',
      part: {
        type: 'data-tool-input',
        data: { toolCallId: 'a', toolName: 'search', delta: '', position: 3 },
      },
    };
    const draft = [drafted('Before.', 2), drafted('After.', 4), drafted('Unplaced.')];
    const items = itemsOf(message(step), reduceLiveParts(quiet, written), {
      isLast: true,
      isRunning: true,
      draft,
    });
    expect(items.map(({ key }) => key)).toEqual(['draft-Before.', 'a', 'draft-After.', 'draft-Unplaced.']);
  });

  it('put drafts after text that was sent before the first question [T17]', () => {
    const parts = message(step, text('Let me look.'), asking('b'), step);
    const items = itemsOf(parts, quiet, { ...settled, draft: [drafted('Found it.', 9)] });
    expect(items.map((item) => ('text' in item ? item.text : item.type))).toEqual([
      'Let me look.',
      'question',
      'Found it.',
    ]);
  });
});

describe('the calls of a chat', () => {
  it('come from their parts, and before that from their lifecycle reports', () => {
    const data = { toolCallId: 'b', toolName: 'search', phase: 'started' };
    const live = reduceLiveParts(quiet, { type: 'received', part: { type: 'data-tool-lifecycle', data } });
    const calls = callsOf([message(done('a')), message(asking('c'))], live);
    expect([...calls.values()].map(({ toolCallId, state }) => [toolCallId, state])).toEqual([
      ['b', 'running'],
      ['a', 'done'],
      ['c', 'asking'],
    ]);
  });

  it('in an earlier message no longer ask', () => {
    expect(callsOf([message(asking('a')), message(done('b'))], quiet).get('a')).toMatchObject({
      state: 'withdrawn',
      approval: { approved: false, withdrawn: 'superseded' },
    });
  });
});
