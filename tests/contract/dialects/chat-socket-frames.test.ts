import { describe, expect, it } from 'vitest';
import {
  emptySocketTurn,
  type ReceivedFrame,
  reduceSocketFrame,
} from '../../../lib/plugins/chat-socket/client/reducer.ts';
import { serverFrameSchema } from '../../../lib/plugins/chat-socket/client/schema.ts';
import { cutText, toolText } from '../../../lib/plugins/chat-socket/tool-text.ts';
import { toJson } from '../../../lib/protocol/json.ts';

const start = { type: 'tool_start', tool_call_id: 'a', tool_name: 'multiply', tool_input: '{"a":5}' };
const complete = { type: 'tool_complete', tool_call_id: 'a', tool_name: 'multiply', tool_result: '20' };

describe('frames of the chat socket', () => {
  it.each<[string, object]>([
    ['tool_start without tool_name', { ...start, tool_name: undefined }],
    ['tool_start with an empty tool_name', { ...start, tool_name: '' }],
    ['tool_start without tool_input', { ...start, tool_input: undefined }],
    ['tool_start with an empty tool_input', { ...start, tool_input: '' }],
    ['tool_start whose tool_input is not a string', { ...start, tool_input: {} }],
    ['tool_complete without tool_name', { ...complete, tool_name: undefined }],
    ['tool_complete without tool_result', { ...complete, tool_result: undefined }],
    ['tool_complete with an empty tool_result', { ...complete, tool_result: '' }],
  ])('%s is a validation error [D5, D6]', (_what, frame) => {
    expect(serverFrameSchema.safeParse(frame).success).toBe(false);
  });

  it.each([start, complete])('the timestamp of $type is set automatically, in UTC with Z [D8]', (frame) => {
    const before = Date.now();
    const { timestamp } = serverFrameSchema.parse(frame) as { timestamp: string };
    expect(timestamp).toMatch(/Z$/);
    expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before);
    expect(serverFrameSchema.safeParse({ ...frame, timestamp: '2026-01-01T00:00:00+02:00' }).success).toBe(
      false,
    );
  });

  it('converts any value to text without throwing or an empty result [D9]', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    const values = [undefined, null, '', 0, false, 1n, cycle, () => 1, Symbol('x'), [], {}];
    // Every value is recorded as JSON.
    for (const value of values) expect(toolText(toJson(value)).length).toBeGreaterThan(0);
    expect(toolText(toJson(undefined))).toBe('null');
    expect(toolText('')).toBe('""');
  });

  it.each([
    ['fits', 'abc', 3, { text: 'abc' }],
    ['is one byte too long', 'abcd', 3, { text: 'abc', originalLength: 4 }],
    ['would be cut inside a character', 'aé', 2, { text: 'a', originalLength: 3 }],
  ])('cuts a text that %s between characters [D19]', (_what, text, max, cut) => {
    expect(cutText(text, max)).toEqual(cut);
  });
});

describe('the client reducer of the chat socket', () => {
  const frames: ReceivedFrame[] = [
    { type: 'token', content: 'Let me see. ' },
    { type: 'tool_start', tool_call_id: 'a', tool_name: 'm', tool_input: '{}', timestamp: '' },
    { type: 'tool_start', tool_call_id: 'b', tool_name: 'm', tool_input: '{}', timestamp: '' },
    { type: 'tool_complete', tool_call_id: 'b', tool_name: 'm', tool_result: '2', timestamp: '' },
    { type: 'error', code: 'TOOL_ERROR', message: 'm: no', tool_call_id: 'a', recoverable: true },
    { type: 'token', content: 'Two.' },
    { type: 'complete', message_id: 'msg', conversation_id: 'chat' },
  ];

  it('collects text, calls by their ids, and the saved message [D7, D15]', () => {
    const turn = frames.reduce(reduceSocketFrame, emptySocketTurn);
    expect(turn).toMatchObject({ text: 'Let me see. Two.', messageId: 'msg', conversationId: 'chat' });
    expect([...turn.calls.values()]).toMatchObject([
      { id: 'a', status: 'failed', error: 'm: no' },
      { id: 'b', status: 'completed', result: '2' },
    ]);
    expect(turn.error).toBeUndefined();
  });

  it('never changes an earlier state, and ignores frames that are not about the turn [D15]', () => {
    let turn = emptySocketTurn;
    for (const frame of frames) {
      const copy = structuredClone(turn);
      const next = reduceSocketFrame(turn, frame);
      expect(turn).toEqual(copy);
      turn = next;
    }
    expect(reduceSocketFrame(turn, { type: 'pong' })).toBe(turn);
    const unknown = {
      type: 'tool_complete',
      tool_call_id: 'x',
      tool_name: 'x',
      tool_result: '1',
      timestamp: '',
    } as const;
    expect(reduceSocketFrame(turn, unknown)).toBe(turn);
  });

  it('matches frames of older servers, which have no ids, by tool name [D7]', () => {
    const older: ReceivedFrame[] = [
      { type: 'tool_start', tool_name: 'm', tool_input: '1', timestamp: '' },
      { type: 'tool_start', tool_name: 'n', tool_input: '2', timestamp: '' },
      { type: 'tool_complete', tool_name: 'm', tool_result: 'one', timestamp: '' },
      { type: 'tool_complete', tool_name: 'n', tool_result: 'two', timestamp: '' },
    ];
    const { calls } = older.reduce(reduceSocketFrame, emptySocketTurn);
    expect([...calls.values()].map(({ toolName, result }) => [toolName, result])).toEqual([
      ['m', 'one'],
      ['n', 'two'],
    ]);
  });

  it('shows a question until it is answered, and a cancelled call as cancelled [D21, D24]', () => {
    const asked: ReceivedFrame = {
      type: 'tool_approval_request',
      approval_id: 'q',
      tool_call_id: 'a',
      tool_name: 'pay',
      tool_input: '{}',
      description: 'Pay.',
    };
    const turn = reduceSocketFrame(emptySocketTurn, asked);
    expect(turn.calls.get('a')).toMatchObject({ status: 'asked', approvalId: 'q' });
    const cancelled = { type: 'error', code: 'TOOL_CANCELLED', message: 'no', tool_call_id: 'a' } as const;
    const { calls } = reduceSocketFrame(turn, cancelled);
    expect(calls.get('a')).toMatchObject({ status: 'cancelled' });
    expect(calls.get('a')).not.toHaveProperty('approvalId');
  });
});
