import { describe, expect, it } from 'vitest';
import { readStreamEvent } from '../../../lib/plugins/two-step-stream/client/read-message.ts';
import {
  continueStream,
  emptyStreamState,
  interruptStream,
  reduceStreamEvent,
  type StreamState,
} from '../../../lib/plugins/two-step-stream/client/reducer.ts';
import type { StreamEvent } from '../../../lib/plugins/two-step-stream/client/schema.ts';

const call = (id: string): StreamEvent => ({
  type: 'tool_call',
  data: { tool_call_id: id, title: 'Web search', description: 'Searching' },
});
const response = (id: string): StreamEvent => ({
  type: 'tool_response',
  data: { tool_call_id: id, message: 'Found 4' },
});
const failure = (id: string | null): StreamEvent => ({
  type: 'error',
  data: { tool_call_id: id, message: 'No.' },
});

const stateAfter = (...events: StreamEvent[]) => events.reduce(reduceStreamEvent, emptyStreamState);
const statuses = ({ activities }: StreamState) =>
  Object.fromEntries([...activities].map(([id, { status }]) => [id, status]));

describe('the client reducer of the two-step stream', () => {
  it('resolves boxes by id, in any order [B13]', () => {
    expect(statuses(stateAfter(call('a'), call('b'), call('c'), response('c'), failure('a')))).toEqual({
      a: 'failed',
      b: 'pending',
      c: 'completed',
    });
  });

  it('ignores an unknown id [B13]', () => {
    const state = stateAfter(call('a'));
    expect(reduceStreamEvent(state, response('x'))).toBe(state);
    expect(reduceStreamEvent(state, failure('x'))).toBe(state);
  });

  it('treats an error without an id as the stream’s, and changes no box [B13]', () => {
    const state = stateAfter(call('a'), failure(null));
    expect(state.error).toBe('No.');
    expect(statuses(state)).toEqual({ a: 'pending' });
  });

  it('updates the box of a call that is announced again [B13]', () => {
    const again: StreamEvent = {
      type: 'tool_call',
      data: { tool_call_id: 'a', title: 'Other', description: 'Else' },
    };
    expect(stateAfter(call('a'), again).activities.get('a')).toMatchObject({
      title: 'Other',
      status: 'pending',
    });
    expect(stateAfter(call('a'), response('a'), again).activities.get('a')).toMatchObject({
      status: 'completed',
    });
  });

  it('never changes an earlier state [B13]', () => {
    const frozen = stateAfter(call('a'));
    const copy = structuredClone(frozen);
    for (const event of [call('b'), response('a'), failure('a'), failure(null)])
      reduceStreamEvent(frozen, event);
    interruptStream(frozen);
    expect(frozen).toEqual(copy);
  });

  it('keeps the error of a stream that has ended, and drops that of one that was resumed [B15]', () => {
    const broken = stateAfter(call('a'), failure(null));
    const ended: StreamEvent = { type: 'done', data: { reason: 'error' } };
    expect(reduceStreamEvent(broken, ended)).toMatchObject({ error: 'No.', done: 'error' });
    for (const next of [
      { type: 'message_chunk', data: { text: 'On.' } },
      { type: 'reset', data: { text: 'On.' } },
      response('a'),
      failure('a'),
      { type: 'done', data: { reason: 'complete' } },
    ] as const) {
      expect(reduceStreamEvent(broken, next).error).toBeUndefined();
    }
    expect(
      reduceStreamEvent(broken, { type: 'error', data: { tool_call_id: null, message: 'Again.' } }).error,
    ).toBe('Again.');
  });

  it('interrupts only pending boxes when the stream breaks [B15]', () => {
    expect(statuses(interruptStream(stateAfter(call('a'), call('b'), response('a'))))).toEqual({
      a: 'completed',
      b: 'interrupted',
    });
    const over = stateAfter(call('a'), { type: 'done', data: { reason: 'approval_required' } });
    expect(interruptStream(over)).toBe(over);
  });

  it('keeps its boxes after an answer, in the next stream [B18]', () => {
    const asked = stateAfter(
      call('a'),
      { type: 'approval_request', data: { approval_id: 'q', tool_call_id: 'a', title: '', description: '' } },
      { type: 'done', data: { reason: 'approval_required' } },
    );
    expect(asked.activities.get('a')).toMatchObject({ status: 'pending', approvalId: 'q' });
    const going = continueStream(asked);
    expect(going.done).toBeUndefined();
    expect(reduceStreamEvent(going, response('a')).activities.get('a')).toMatchObject({
      status: 'completed',
      approvalId: undefined,
    });
  });
});

describe('parsing EventSource events', () => {
  it('distinguishes a frame named error from a lost connection by its data [B17]', () => {
    expect(readStreamEvent({ type: 'error' })).toBeUndefined();
    expect(readStreamEvent({ type: 'error', data: '{"tool_call_id":null,"message":"No."}' })).toEqual(
      failure(null),
    );
  });

  it.each([
    ['an unknown type', { type: 'other', data: '{}' }],
    ['an inherited name', { type: 'constructor', data: '{}' }],
    ['a payload that is not JSON', { type: 'done', data: '{' }],
    ['a payload that does not fit', { type: 'done', data: '{"reason":"other"}' }],
  ])('ignores %s [B17]', (_what, event) => {
    expect(readStreamEvent(event)).toBeUndefined();
  });
});
