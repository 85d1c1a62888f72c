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

/** A served flow, and a way to change its tool as a deploy would. */
async function changing() {
  const toolDetails = { pay: { version: '1' } };
  const served = await serveDialects(script, { toolDetails: toolDetails as never });
  return { ...served, change: () => Object.assign(toolDetails.pay, { version: '2' }) };
}

describe('a question whose tool has changed, in each dialect [ADR 0020]', () => {
  it('tool events: the stream reports the old call as not run, asks again, and continues', async () => {
    const { url, change, ran } = await changing();
    const frames = await openToolEvents(url, 'Pay', { acceptApprovals: true });
    const { approvalId } = await untilFrame(frames, 'approval_request');
    change();
    const refused = await answerOverHttp(url, approvalId, { approved: true });
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'question-changed', approvalId } } });
    const again = await untilFrame(frames, 'approval_request');
    expect(again.approvalId).toBe(refused.body.error.replacedBy);
    expect((await answerOverHttp(url, again.approvalId, { approved: true })).status).toBe(200);
    const rest = await collect(frames);
    expect(rest.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['tool_call_end', 'text_delta', 'message_end']),
    );
    expect(ran).toHaveLength(1);
  });

  it('two-step stream: the refusal names the stream that asks again', async () => {
    const { url, change, ran } = await changing();
    const { stream_id } = await startStream(url, 'Pay');
    const asked = (await streamEvents(url, stream_id)).find(({ type }) => type === 'approval_request');
    if (asked?.type !== 'approval_request') throw new Error('Nothing was asked.');
    change();
    const refused = await answerOverHttp(url, asked.data.approval_id, { approved: true });
    const { replacedBy, stream_id: next } = refused.body.error;
    const events = await streamEvents(url, next);
    expect(events.map(({ type }) => type)).toEqual(['error', 'tool_call', 'approval_request', 'done']);
    expect(events[0]).toMatchObject({ data: { tool_call_id: 'pay-1' } });
    expect(events[2]).toMatchObject({ data: { approval_id: replacedBy } });
    const answered = await answerOverHttp(url, replacedBy, { approved: true });
    expect((await streamEvents(url, answered.body.stream_id)).map(({ type }) => type)).toContain(
      'tool_response',
    );
    expect(ran).toHaveLength(1);
  });

  it('Responses: the response to the approval asks again', async () => {
    const toolDetails = { pay: { version: '1' } };
    const gateway = await responsesGateway(script, { toolDetails: toolDetails as never });
    const requestIn = async (response: Response) => {
      const { events } = await readResponsesFrames(response);
      expect(events.at(-1)).toMatchObject({ type: 'response.completed' });
      const items = events.flatMap((event) =>
        event.type === 'response.output_item.done' && event.item.type === 'mcp_approval_request'
          ? [event.item.id]
          : [],
      );
      return { id: items.at(-1), events };
    };
    const approve = (id: unknown) =>
      gateway.post({
        stream: true,
        input: [{ type: 'mcp_approval_response', approval_request_id: id, approve: true }],
      });
    const first = await requestIn(await gateway.post({ input: 'Go.', stream: true }));
    Object.assign(toolDetails.pay, { version: '2' });
    const second = await requestIn(await approve(first.id));
    expect(second.id).toBeDefined();
    expect(second.id).not.toBe(first.id);
    expect(gateway.ran).toEqual([]);
    const { events } = await requestIn(await approve(second.id));
    expect(JSON.stringify(events)).toContain('Paid.');
    expect(gateway.ran).toHaveLength(1);
  });

  it('chat socket: refuses the answer, and asks again [D24]', async () => {
    const { url, change, ran } = await changing();
    const client = await connectChatSocket(url);
    client.say('Pay');
    const { approval_id } = await client.frame('tool_approval_request');
    change();
    client.send({ type: 'tool_approval_response', approval_id, approved: true });
    const again = await client.frame('tool_approval_request', 2);
    expect(again.approval_id).not.toBe(approval_id);
    await client.until((all) => all.filter(({ type }) => type === 'error').length >= 2);
    const codes = client.frames.flatMap((frame) => (frame.type === 'error' ? [frame.code] : []));
    expect(codes.toSorted()).toEqual(['ALREADY_ANSWERED', 'TOOL_CANCELLED']);
    client.send({ type: 'tool_approval_response', approval_id: again.approval_id, approved: true });
    await client.complete();
    expect(ran).toHaveLength(1);
  });
});
