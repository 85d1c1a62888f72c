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

describe('what is shown of an answer', () => {
  it('puts released calls before the words they came after', () => {
    const items = itemsOf(message(step, text('Found it.'), done('a')), quiet, settled);
    expect(kinds(items)).toEqual(['call done', 'text']);
  });

  it('keeps the order of the wire while the turn is not released', () => {
    const parts = message(step, text('Let me look.'), done('a'));
    expect(kinds(itemsOf(parts, quiet, { ...settled, isSettled: false }))).toEqual(['text', 'call done']);
  });

  it('leaves a question behind the words that lead to it', () => {
    const parts = message(step, text('Let me look.'), asking('a'));
    expect(kinds(itemsOf(parts, quiet, settled))).toEqual(['text', 'question']);
  });

  it('shows a question of an earlier message as withdrawn, since nobody can answer it any more', () => {
    const items = itemsOf(message(step, asking('a')), quiet, { ...settled, isLast: false });
    expect(kinds(items)).toEqual(['call withdrawn']);
  });

  it('shows a running call before any part of it arrives, under the key it keeps', () => {
    const data = { toolCallId: 'a', toolName: 'search', kind: 'function', phase: 'started', at: 'now' };
    const live = reduceLiveParts(quiet, { type: 'received', part: { type: 'data-tool-lifecycle', data } });
    const running = itemsOf(message(step), live, { ...settled, isRunning: true });
    const released = itemsOf(message(step, done('a')), live, settled);
    expect(kinds(running)).toEqual(['call running']);
    expect(released.map((item) => item.key)).toEqual(running.map((item) => item.key));
  });

  it('puts the draft in place of the words, which it has too, behind the calls and the question', () => {
    const parts = message(step, text('Let me look.'), done('a'), step, asking('b'));
    const items = itemsOf(parts, quiet, { ...settled, draft: 'Let me look. Found' });
    expect(kinds(items)).toEqual(['call done', 'question', 'draft']);
    expect(items.at(-1)).toMatchObject({ text: 'Let me look. Found' });
  });
});

describe('the calls of a chat', () => {
  it('are known by their parts, and by their reports alone until then', () => {
    const data = { toolCallId: 'b', toolName: 'search', phase: 'started' };
    const live = reduceLiveParts(quiet, { type: 'received', part: { type: 'data-tool-lifecycle', data } });
    const calls = callsOf([message(done('a')), message(asking('c'))], live);
    expect([...calls.values()].map(({ toolCallId, state }) => [toolCallId, state])).toEqual([
      ['b', 'running'],
      ['a', 'done'],
      ['c', 'asking'],
    ]);
  });

  it('of an earlier message ask nothing any more', () => {
    expect(callsOf([message(asking('a')), message(done('b'))], quiet).get('a')).toMatchObject({
      state: 'withdrawn',
      approval: { approved: false, withdrawn: 'superseded' },
    });
  });
});
