import { collect } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import type { ToolEvent } from '../../../lib/plugins/tool-events/client/schema.ts';
import { musicTools, ServiceError } from './support/music-catalogue.ts';
import { serveDialects } from './support/serve-dialects.ts';
import {
  framesOf,
  frameTypes,
  openToolEvents,
  retryToolEvents,
  toolEvents,
  untilFrame,
} from './support/tool-events-client.ts';

const search = { call: 'tidalSearch', id: 'tidal', input: { query: 'blue' } };
const script = [[search], [{ text: 'It is closed.' }], [{ text: 'Found it.' }]];
const later = () => new ServiceError('Try later.', 400, true);

function conversationOf(frames: readonly ToolEvent[]): string {
  const [start] = frames;
  if (start?.type !== 'message_start') throw new Error('A stream begins with message_start.');
  return start.conversationId;
}

describe('tool events: a failed call is made again', () => {
  it('streams the message from its start, with the new call and the text that follows [A11]', async () => {
    const { tools, ran } = musicTools([later()]);
    const { url } = await serveDialects(script, { tools });
    const first = await toolEvents(url, 'Find blue');
    const conversationId = conversationOf(first);
    const response = await retryToolEvents(url, { conversationId, toolCallId: 'tidal' });
    const frames = await collect(framesOf(response));
    expect(frames.slice(0, first.length - 1)).toEqual(first.slice(0, -1));
    const added = frames.slice(first.length - 1);
    expect(frameTypes(added)).toEqual(['tool_call_start', 'tool_call_end', 'text_delta', 'message_end']);
    expect(added[0]).toMatchObject({ toolName: 'tidalSearch', input: { query: 'blue' } });
    expect(added[0]).not.toMatchObject({ toolCallId: 'tidal' });
    expect(ran).toEqual(['tidalSearch', 'tidalSearch']);
  });

  it('asks again about a gated call [A25]', async () => {
    const { tools, ran } = musicTools([later()]);
    const toolApproval = { tidalSearch: 'user-approval' } as const;
    const { url } = await serveDialects(script, { tools, toolApproval });
    const frames = await openToolEvents(url, 'Find blue', { acceptApprovals: true });
    const { conversationId } = await untilFrame(frames, 'message_start');
    await answer(url, (await untilFrame(frames, 'approval_request')).approvalId);
    await untilFrame(frames, 'message_end');
    const response = await retryToolEvents(
      url,
      { conversationId, toolCallId: 'tidal' },
      { acceptApprovals: true },
    );
    const again = framesOf(response);
    await untilFrame(again, 'tool_call_error');
    const { approvalId } = await untilFrame(again, 'approval_request');
    expect(ran).toHaveLength(1);
    await answer(url, approvalId);
    await untilFrame(again, 'tool_call_end');
    await untilFrame(again, 'message_end');
    expect(ran).toHaveLength(2);
  });

  it('denies a gated call of a client that can no longer ask, whatever the turn began with [A25]', async () => {
    const { tools, ran } = musicTools([later()]);
    const toolApproval = { tidalSearch: 'user-approval' } as const;
    const { url } = await serveDialects(script, { tools, toolApproval });
    const frames = await openToolEvents(url, 'Find blue', { acceptApprovals: true });
    const { conversationId } = await untilFrame(frames, 'message_start');
    await answer(url, (await untilFrame(frames, 'approval_request')).approvalId);
    await untilFrame(frames, 'message_end');
    const again = await collect(
      framesOf(await retryToolEvents(url, { conversationId, toolCallId: 'tidal' })),
    );
    expect(again.findLast(({ type }) => type === 'tool_call_error')).toMatchObject({
      error: 'The call was denied: This client cannot ask for approval.',
    });
    expect(again.at(-1)?.type).toBe('message_end');
    expect(ran).toHaveLength(1);
  });

  it.each<[string, number, object, Error | undefined]>([
    ['a call that may not be tried again', 400, { toolCallId: 'tidal' }, new ServiceError('No.', 400)],
    ['a call that has not failed', 400, { toolCallId: 'tidal' }, undefined],
    ['a call that the last message does not have', 404, { toolCallId: 'other' }, later()],
    ['no call', 400, {}, later()],
    ['another conversation', 404, { toolCallId: 'tidal', conversationId: 'nowhere' }, later()],
  ])('refuses %s with %i [A11, A26]', async (_what, status, body, fault) => {
    const { tools, ran } = musicTools(fault ? [fault] : []);
    const { url } = await serveDialects(script, { tools });
    const conversationId = conversationOf(await toolEvents(url, 'Find blue'));
    const response = await retryToolEvents(url, { conversationId, ...body });
    expect([response.status, await response.json()]).toEqual([
      status,
      { error: expect.objectContaining({ message: expect.any(String) }) },
    ]);
    expect(ran).toHaveLength(1);
  });

  it('refuses another user’s call as if it did not exist, and one of a message that goes on [A26]', async () => {
    const { tools } = musicTools([later()]);
    const { promise: wait, resolve } = Promise.withResolvers<void>();
    const { url } = await serveDialects([[search], [{ wait }, { text: 'Closed.' }]], { tools });
    const frames = await openToolEvents(url, 'Find blue');
    const { conversationId } = await untilFrame(frames, 'message_start');
    await untilFrame(frames, 'tool_call_error');
    const body = { conversationId, toolCallId: 'tidal' };
    expect((await retryToolEvents(url, body, { user: 'mallory' })).status).toBe(404);
    expect((await retryToolEvents(url, body)).status).toBe(409);
    resolve();
    await untilFrame(frames, 'message_end');
  });
});

function answer(url: string, approvalId: string): Promise<Response> {
  return fetch(`${url}/api/approvals/${approvalId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"approved":true}',
  });
}
