import { votes } from 'countersign/plugins/votes';
import { collect } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { perTurn } from '../../support/per-turn.ts';
import { readResponsesFrames } from '../../support/responses-frames.ts';
import { responsesGateway } from '../../support/responses-gateway.ts';
import { connectChatSocket } from './support/chat-socket-client.ts';
import { answerOverHttp, serveDialects } from './support/serve-dialects.ts';
import { openToolEvents, untilFrame } from './support/tool-events-client.ts';
import { startStream, streamEvents } from './support/two-step-client.ts';

const script = perTurn([[{ call: 'pay', id: 'pay-1', input: { to: 'Al', amount: 1 } }], [{ text: 'Paid.' }]]);
const settings = {
  mayRead: () => true,
  toolDetails: { pay: { approvers: () => true, votes: { count: 2 } } } as never,
  plugins: [votes()],
};

describe('a vote that does not settle its question leaves it waiting, in each dialect [ADR 0047]', () => {
  it('tool events: the question is sent again with its votes, and the message continues after the last one', async () => {
    const { url, ran } = await serveDialects(script, settings);
    const frames = await openToolEvents(url, 'Pay', { acceptApprovals: true });
    const { approvalId } = await untilFrame(frames, 'approval_request');
    const voted = await answerOverHttp(url, approvalId, { approved: true });
    expect(voted).toMatchObject({ status: 200, body: { approval: { state: 'open', hasAnswered: true } } });
    expect(voted.body.stream_id).toBeUndefined();
    const again = await untilFrame(frames, 'approval_request');
    expect(again).toMatchObject({
      approvalId,
      question: { plugins: { votes: { needed: 2 } }, answers: [{ by: { id: 'ada' } }] },
    });
    expect(ran).toEqual([]);
    await answerOverHttp(url, approvalId, { approved: true }, 'ben');
    expect((await collect(frames)).map(({ type }) => type)).toContain('message_end');
    expect(ran).toHaveLength(1);
  });

  it('two-step stream: a vote names no stream, and the last one does', async () => {
    const { url, ran } = await serveDialects(script, settings);
    const { stream_id } = await startStream(url, 'Pay');
    const asked = (await streamEvents(url, stream_id)).find(({ type }) => type === 'approval_request');
    if (asked?.type !== 'approval_request') throw new Error('Nothing was asked.');
    const { approval_id: id } = asked.data;
    expect((await answerOverHttp(url, id, { approved: true })).body.stream_id).toBeUndefined();
    expect(await streamEvents(url, stream_id)).toContainEqual(asked);
    const settled = await answerOverHttp(url, id, { approved: true }, 'ben');
    expect((await streamEvents(url, settled.body.stream_id)).map(({ type }) => type)).toContain(
      'tool_response',
    );
    expect(ran).toHaveLength(1);
  });

  it('chat socket: the question is sent again, and the turn continues after the last vote', async () => {
    const { url, ran } = await serveDialects(script, settings);
    const socket = await connectChatSocket(url);
    socket.say('Pay');
    const { approval_id } = await socket.frame('tool_approval_request');
    socket.send({ type: 'tool_approval_response', approval_id, approved: true });
    expect(await socket.frame('tool_approval_request', 2)).toMatchObject({
      approval_id,
      tool_call_id: 'pay-1',
    });
    expect(ran).toEqual([]);
    await answerOverHttp(url, approval_id, { approved: true }, 'ben');
    await socket.complete();
    expect(ran).toHaveLength(1);
  });

  it('Responses: the response to a vote is that of the question, with the same ids', async () => {
    const gateway = await responsesGateway(script, settings);
    const read = async (response: Response) => {
      const { events } = await readResponsesFrames(response);
      const last = events.at(-1);
      return last?.type === 'response.completed' ? last.response : undefined;
    };
    const approve = (id: unknown, user = 'ada') =>
      gateway.post(
        { stream: true, input: [{ type: 'mcp_approval_response', approval_request_id: id, approve: true }] },
        { authorization: `Bearer ${user}` },
      );
    const first = await read(await gateway.post({ input: 'Go.', stream: true }));
    const item = first?.output.find(({ type }) => type === 'mcp_approval_request');
    expect(await read(await approve(item?.id))).toEqual(first);
    expect(await read(await approve(item?.id))).toEqual(first);
    expect(gateway.ran).toEqual([]);
    const settled = await read(await approve(item?.id, 'ben'));
    expect(settled?.output.map(({ type }) => type)).toContain('mcp_call');
    expect(gateway.ran).toHaveLength(1);
  });
});
