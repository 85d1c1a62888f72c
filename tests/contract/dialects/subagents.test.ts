import { collect } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { pay, research, researchTool } from '../../support/subagent-fixture.ts';
import { connectChatSocket } from './support/chat-socket-client.ts';
import { answerOverHttp, serveDialects } from './support/serve-dialects.ts';
import { openToolEvents, untilFrame } from './support/tool-events-client.ts';
import { startStream, streamEvents } from './support/two-step-client.ts';

async function served() {
  const { tools, ran } = researchTool([[{ text: 'Aloud.' }, pay('p')], [{ text: 'Paid.' }]]);
  const { url } = await serveDialects([[research('r')], [{ text: 'Done.' }]], { tools });
  return { url, ran };
}

describe('a subagent in the dialects [ADR 0035]', () => {
  it('tool events: its question has its path, and its call and result follow', async () => {
    const { url, ran } = await served();
    const frames = await openToolEvents(url, 'Go', { acceptApprovals: true });
    const asked = await untilFrame(frames, 'approval_request');
    expect(asked).toMatchObject({ toolCallId: 'p', toolName: 'research/pay' });
    await answerOverHttp(url, asked.approvalId, { approved: true });
    const rest = await collect(frames);
    expect(rest.at(-1)?.type).toBe('message_end');
    const ended = rest.flatMap((frame) => (frame.type === 'tool_call_end' ? [frame.toolCallId] : []));
    expect(ended.toSorted()).toEqual(['p', 'r']);
    expect(JSON.stringify(rest)).not.toContain('Aloud.');
    expect(ran).toHaveLength(1);
  });

  it('two-step stream: the stream after the answer is complete', async () => {
    const { url, ran } = await served();
    const { stream_id } = await startStream(url, 'Go');
    const asked = (await streamEvents(url, stream_id)).find(({ type }) => type === 'approval_request');
    if (asked?.type !== 'approval_request') throw new Error('Nothing was asked.');
    const { body } = await answerOverHttp(url, asked.data.approval_id, { approved: true });
    const events = await streamEvents(url, body.stream_id);
    expect(events.at(-1)).toEqual({ type: 'done', data: { reason: 'complete' } });
    expect(events.filter(({ type }) => type === 'tool_response')).toHaveLength(2);
    expect(ran).toHaveLength(1);
  });

  it('chat socket: the turn completes after the answer', async () => {
    const { url, ran } = await served();
    const client = await connectChatSocket(url);
    client.say('Go');
    const { approval_id } = await client.frame('tool_approval_request');
    await answerOverHttp(url, approval_id, { approved: true });
    const frames = await client.complete();
    expect(frames.filter(({ type }) => type === 'tool_complete')).toHaveLength(2);
    expect(ran).toHaveLength(1);
  });
});
