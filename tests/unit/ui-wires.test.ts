import {
  emptyResponses,
  type ResponseEvent,
  reduceResponseEvent,
} from 'countersign/plugins/responses/client';
import { describe, expect, it } from 'vitest';
import { viewOfResponses } from '../../app/dialects/_wires/responses.ts';
import {
  emptyWireState,
  mostFrames,
  phaseOf,
  questionOf,
  reduceWire,
  type WireAction,
} from '../../app/dialects/_wires/wire-state.ts';

const stateAfter = (...actions: WireAction[]) => actions.reduce(reduceWire, emptyWireState);
const question = { approvalId: 'apr_1', name: 'pay', detail: '{}' };
const asked: WireAction = { type: 'view', view: { text: '', calls: [], question } };
const frame: WireAction = { type: 'frame', frame: { direction: 'received', type: 'token', body: '{}' } };

describe('the column of a wire', () => {
  it('keeps the newest frames, and counts all of them', () => {
    const { frames, frameCount } = stateAfter(...Array.from({ length: mostFrames + 5 }, () => frame));
    expect(frameCount).toBe(mostFrames + 5);
    expect(frames.map(({ key }) => key)).toEqual(Array.from({ length: mostFrames }, (_, index) => index + 6));
  });

  it.each<[string, string, WireAction[]]>([
    ['nothing', 'idle', []],
    ['a message', 'running', [{ type: 'sent' }, frame]],
    ['the end of its turn', 'done', [{ type: 'sent' }, frame, { type: 'ended' }]],
    ['a question in an open stream', 'waiting', [{ type: 'sent' }, frame, asked]],
    ['a question that ended the stream', 'waiting', [{ type: 'sent' }, frame, asked, { type: 'ended' }]],
    ['its answer', 'running', [{ type: 'sent' }, asked, { type: 'sent', answered: 'apr_1' }]],
    ['a refusal', 'failed', [{ type: 'sent' }, { type: 'failed', failure: 'Too many requests.' }]],
  ])('after %s is %s', (_, phase, actions) => {
    expect(phaseOf(stateAfter(...actions))).toBe(phase);
  });

  it('asks again if the answer was not accepted', () => {
    const answered = stateAfter(
      { type: 'sent' },
      asked,
      { type: 'ended' },
      { type: 'sent', answered: 'apr_1' },
    );
    expect(questionOf(answered)).toBeUndefined();
    expect(questionOf(reduceWire(answered, { type: 'failed', failure: 'Connection lost.' }))).toEqual(
      question,
    );
  });
});

/** Only the fields that the reducer reads. */
const events = (...all: object[]) => all as ResponseEvent[];
const begun = (id: string) => ({ type: 'response.created', response: { id } });
const item = (more: object) => ({ type: 'response.output_item.done', output_index: 0, item: more });
const request = { type: 'mcp_approval_request', id: 'mcpr_1', name: 'pay', arguments: '{"amount":30}' };

describe('a client of the Responses API', () => {
  it('knows a request for approval as open until a call names it, and the text of all responses', () => {
    const first = events(
      begun('resp_1'),
      { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'Let me ' },
      { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'see. ' },
      item({ type: 'message', id: 'msg_1' }),
      item(request),
    ).reduce(reduceResponseEvent, emptyResponses);
    expect(viewOfResponses(first)).toEqual({
      text: 'Let me see. ',
      calls: [{ id: 'mcpr_1', name: 'pay', state: 'mcp_approval_request' }],
      question: { approvalId: 'mcpr_1', name: 'pay', detail: '{"amount":30}' },
    });

    const call = {
      ...{ type: 'mcp_call', id: 'mcp_1', name: 'pay', status: 'completed', output: 'Paid' },
      approval_request_id: 'mcpr_1',
    };
    const second = events(
      begun('resp_2'),
      item(call),
      { type: 'response.output_text.delta', item_id: 'msg_2', delta: 'Done.' },
      item({ type: 'message', id: 'msg_2' }),
    ).reduce(reduceResponseEvent, first);
    expect(second.responseId).toBe('resp_2');
    expect(viewOfResponses(second)).toEqual({
      text: 'Let me see. Done.',
      calls: [{ id: 'mcp_1', name: 'pay', state: 'completed', detail: 'Paid' }],
    });
  });

  it('says why a response failed', () => {
    const state = events(begun('resp_1'), { type: 'error', message: 'The model call failed.' }).reduce(
      reduceResponseEvent,
      emptyResponses,
    );
    expect(viewOfResponses(state).failure).toBe('The model call failed.');
  });
});
