import { type FlowSettings, notTheAsker } from 'countersign';
import { remembered } from 'countersign/plugins/remembered';
import { collect, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { parseApprovalId } from '../../../lib/protocol/index.ts';
import { ada, questionIn } from '../../support/flow-fixture.ts';
import { responsesGateway } from '../../support/responses-gateway.ts';
import { connectChatSocket } from './support/chat-socket-client.ts';
import { answerOverHttp, serveDialects } from './support/serve-dialects.ts';
import { openToolEvents, toolEvents, untilFrame } from './support/tool-events-client.ts';
import { startStream, streamEvents } from './support/two-step-client.ts';

const pay: ScriptedStep = [{ call: 'pay', input: { to: 'Alice', amount: 5_000 } }];
const script: ScriptedStep[] = [pay, [{ text: 'So be it.' }], pay, [{ text: 'So be it.' }]];
const fourEyes: Partial<FlowSettings> = { toolDetails: { pay: { approvers: notTheAsker } } };
const remember = { scope: 'me', match: 'tool' } as const;

/** A served flow in which Ada's approval of a payment is remembered. */
async function remembering() {
  const fixture = await serveDialects(script, { plugins: [remembered()] });
  const { id, say, ask } = fixture.chat('before');
  const approvalId = parseApprovalId(questionIn(await say('Pay.')));
  await fixture.read(
    await ask({ answers: [{ approvalId, approved: true, plugins: { remembered: remember } }] }),
  );
  expect(await fixture.flow.chats.read({ chatId: id, principal: ada })).toMatchObject({
    run: { status: 'idle' },
  });
  return fixture;
}

describe('a remembered approval, in each dialect', () => {
  it('tool events: runs the call and asks nothing, although the client supports questions', async () => {
    const { url, ran } = await remembering();
    const told = (await toolEvents(url, 'Pay', { acceptApprovals: true })).map(({ type }) => type);
    expect(told).not.toContain('approval_request');
    expect(told).toEqual(expect.arrayContaining(['tool_call_start', 'tool_call_end', 'message_end']));
    expect(ran).toHaveLength(2);
  });

  it('tool events: also runs the call for a client that shows no questions', async () => {
    const { url, ran } = await remembering();
    expect((await toolEvents(url, 'Pay')).map(({ type }) => type)).toContain('tool_call_end');
    expect(ran).toHaveLength(2);
  });

  it('two-step stream: sends the call, its result and the end in one stream', async () => {
    const { url, ran } = await remembering();
    const { stream_id } = await startStream(url, 'Pay');
    const told = await streamEvents(url, stream_id);
    expect(told.map(({ type }) => type)).not.toContain('approval_request');
    expect(told.map(({ type }) => type)).toContain('tool_response');
    expect(told.at(-1)).toEqual({ type: 'done', data: { reason: 'complete' } });
    expect(ran).toHaveLength(2);
  });

  it('Responses: the response contains the call with its output, and no request', async () => {
    const { openai, ran, chat, read } = await responsesGateway(script, { plugins: [remembered()] });
    const { say, ask } = chat('before');
    const approvalId = parseApprovalId(questionIn(await say('Pay.')));
    await read(await ask({ answers: [{ approvalId, approved: true, plugins: { remembered: remember } }] }));
    const { output, status } = await openai.responses.create({ model: 'any', input: 'Pay' });
    expect(status).toBe('completed');
    expect(output.map(({ type }) => type)).not.toContain('mcp_approval_request');
    expect(output).toContainEqual(expect.objectContaining({ type: 'mcp_call', name: 'pay' }));
    expect(ran).toHaveLength(2);
  });

  it('chat socket: sends the call and its result [D24]', async () => {
    const { url, ran } = await remembering();
    const client = await connectChatSocket(url);
    client.say('Pay');
    const told = (await client.complete()).map(({ type }) => type);
    expect(told).not.toContain('tool_approval_request');
    expect(told).toContain('tool_complete');
    expect(ran).toHaveLength(2);
  });
});

describe('the four-eyes rule, in each dialect', () => {
  it('tool events and two-step stream: refuse the asker over HTTP, and continue after another person’s answer', async () => {
    const { url, ran } = await serveDialects(script, fourEyes);
    const frames = await openToolEvents(url, 'Pay', { acceptApprovals: true });
    const { approvalId } = await untilFrame(frames, 'approval_request');
    expect((await answerOverHttp(url, approvalId, { approved: true })).status).toBe(403);
    expect(ran).toEqual([]);
    expect((await answerOverHttp(url, approvalId, { approved: true }, 'bob')).status).toBe(200);
    expect((await collect(frames)).map(({ type }) => type)).toContain('tool_call_end');

    const { stream_id } = await startStream(url, 'Pay');
    const question = (await streamEvents(url, stream_id)).find(({ type }) => type === 'approval_request');
    const asked = question?.type === 'approval_request' ? question.data.approval_id : '';
    expect((await answerOverHttp(url, asked, { approved: true })).status).toBe(403);
    expect((await answerOverHttp(url, asked, { approved: false }, 'bob')).status).toBe(200);
    expect(ran).toHaveLength(1);
  });

  it('tool events: a client that shows no questions does not answer for an approver', async () => {
    const { url, ran, flow } = await serveDialects(script, fourEyes);
    const frames = await openToolEvents(url, 'Pay');
    const asked = async () =>
      (await flow.approvals.list({ principal: ada, state: 'open' })).items[0]?.id ?? '';
    await expect.poll(asked).not.toBe('');
    expect((await answerOverHttp(url, await asked(), { approved: true }, 'bob')).status).toBe(200);
    expect((await collect(frames)).map(({ type }) => type)).toContain('tool_call_end');
    expect(ran).toHaveLength(1);
  });

  it('Responses: refuses the asker’s approval with a permission error, and runs nothing', async () => {
    const { openai, ran, flow } = await responsesGateway(script, fourEyes);
    const { id, output } = await openai.responses.create({ model: 'any', input: 'Pay' });
    const request = output.find(({ type }) => type === 'mcp_approval_request');
    const answer = {
      type: 'mcp_approval_response' as const,
      approval_request_id: request?.id ?? '',
      approve: true,
    };
    await expect(
      openai.responses.create({ model: 'any', previous_response_id: id, input: [answer] }),
    ).rejects.toMatchObject({ status: 403, type: 'permission_error' });
    expect(ran).toEqual([]);
    const [open] = (await flow.approvals.list({ principal: ada, state: 'open' })).items;
    expect(open).toMatchObject({ mayAnswer: false });
  });

  it('chat socket: refuses the asker’s frame, and accepts an approver’s [D24]', async () => {
    const { url, ran } = await serveDialects(script, fourEyes);
    const client = await connectChatSocket(url);
    client.say('Pay');
    const { approval_id } = await client.frame('tool_approval_request');
    client.send({ type: 'tool_approval_response', approval_id, approved: true });
    expect(await client.frame('error')).toMatchObject({ code: 'ACCESS_DENIED' });
    expect(ran).toEqual([]);
    expect((await answerOverHttp(url, approval_id, { approved: true }, 'bob')).status).toBe(200);
    expect((await client.complete()).map(({ type }) => type)).toContain('tool_complete');
    expect(ran).toHaveLength(1);
  });
});
