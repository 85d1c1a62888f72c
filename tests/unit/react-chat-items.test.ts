import type { UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { callsOf, itemsOf } from '../../lib/client/chat/chat-items.ts';
import { initialLiveParts, type LiveParts, reduceLiveParts } from '../../lib/client/chat/live-parts.ts';
import type { ChatPart } from '../../lib/client/chat/message-parts.ts';

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
const settled = { isLast: true, isRunning: false, isSettled: true, draft: '' };

const kinds = (items: ReturnType<typeof itemsOf>) =>
  items.map((item) => (item.type === 'call' ? `call ${item.call.state}` : item.type));

describe('the items of an answer', () => {
  it('put released calls before the text that came after them', () => {
    const items = itemsOf(message(step, text('Found it.'), done('a')), quiet, settled);
    expect(kinds(items)).toEqual(['call done', 'text']);
  });

  it('keep the order of the wire while the turn is not released', () => {
    const parts = message(step, text('Let me look.'), done('a'));
    expect(kinds(itemsOf(parts, quiet, { ...settled, isSettled: false }))).toEqual(['text', 'call done']);
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
  });

  it('put the draft in place of its text, after the calls and the question', () => {
    const parts = message(step, text('Let me look.'), done('a'), step, asking('b'));
    const items = itemsOf(parts, quiet, { ...settled, draft: 'Let me look. Found' });
    expect(kinds(items)).toEqual(['call done', 'question', 'draft']);
    expect(items.at(-1)).toMatchObject({ text: 'Let me look. Found' });
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
