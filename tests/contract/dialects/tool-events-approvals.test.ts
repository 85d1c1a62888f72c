import { describe, expect, it } from 'vitest';
import { answerOverHttp, serveDialects } from './support/serve-dialects.ts';
import { frameTypes, openToolEvents, toolEvents, untilFrame } from './support/tool-events-client.ts';

const pay = (to: string, amount: number) => ({ call: 'pay', id: `pay-${to}`, input: { to, amount } });

describe('tool events: approvals', () => {
  it('asks one question at a time, and continues after the answers to message_end [A25]', async () => {
    const { url, ran } = await serveDialects([
      [pay('Alice', 30), pay('Bob', 40)],
      [{ text: 'One is paid.' }],
    ]);
    const frames = await openToolEvents(url, 'Pay both', { acceptApprovals: true });
    const first = await untilFrame(frames, 'approval_request');
    expect(first).toMatchObject({
      toolCallId: 'pay-Alice',
      toolName: 'pay',
      input: { to: 'Alice', amount: 30 },
    });
    expect(ran).toEqual([]);

    expect((await answerOverHttp(url, first.approvalId, { approved: true })).status).toBe(200);
    expect(await untilFrame(frames, 'tool_call_start')).toMatchObject({ toolCallId: 'pay-Alice' });
    expect(await untilFrame(frames, 'tool_call_end')).toMatchObject({ toolCallId: 'pay-Alice' });
    const second = await untilFrame(frames, 'approval_request');
    expect(second.toolCallId).toBe('pay-Bob');

    await answerOverHttp(url, second.approvalId, { approved: false, reason: 'Too much.' });
    expect(await untilFrame(frames, 'tool_call_start')).toMatchObject({ toolCallId: 'pay-Bob' });
    expect(await untilFrame(frames, 'tool_call_error')).toMatchObject({
      toolCallId: 'pay-Bob',
      error: 'The call was denied: Too much.',
      retryable: false,
      wasRetried: false,
    });
    expect(await untilFrame(frames, 'text_delta')).toMatchObject({ content: 'One is paid.' });
    await untilFrame(frames, 'message_end');
    expect(ran.map(({ toolCallId }) => toolCallId)).toEqual(['pay-Alice']);
    const again = await answerOverHttp(url, first.approvalId, { approved: false });
    expect([again.status, again.body.error.code]).toEqual([409, 'already-answered']);
  });

  it('says that the same call ran a short time ago [A25, H13]', async () => {
    const { url } = await serveDialects([[pay('Alice', 30), { ...pay('Alice', 30), id: 'again' }], []]);
    const frames = await openToolEvents(url, 'Pay twice', { acceptApprovals: true });
    const first = await untilFrame(frames, 'approval_request');
    expect(first).not.toHaveProperty('repeatOf');
    await answerOverHttp(url, first.approvalId, { approved: true });
    const second = await untilFrame(frames, 'approval_request');
    expect(second.repeatOf).toEqual({ at: expect.any(String), outcome: 'completed' });
  });

  it('sends the whole question with the rights of its reader, as GET /api/approvals has it [A25, H13]', async () => {
    const { url } = await serveDialects([[pay('Alice', 30)], []], {
      toolDetails: {
        pay: {
          describe: ({ to, amount }: { to: string; amount: number }) => `Pay ${to} ${amount} USD.`,
          risk: { level: 'high', reason: 'new payee' },
          subject: ({ to }: { to: string }) => to,
          preview: () => ({ summary: 'The balance would be 70 USD.' }),
        },
      },
    });
    const frames = await openToolEvents(url, 'Pay', { acceptApprovals: true });
    const { approvalId, question } = await untilFrame(frames, 'approval_request');
    expect(question).toMatchObject({
      id: approvalId,
      description: 'Pay Alice 30 USD.',
      risk: 'high',
      riskReason: 'new payee',
      history: { subject: 'Alice', count: 0 },
      preview: { summary: 'The balance would be 70 USD.' },
      askedBy: { id: 'ada', name: 'Ada' },
      position: { index: 1 },
      mayAnswer: true,
      mayEdit: true,
    });
    const read = await fetch(`${url}/api/approvals/${approvalId}`);
    expect((await read.json()).approval).toEqual(question);
    await answerOverHttp(url, approvalId, { approved: false });
    await untilFrame(frames, 'message_end');
  });

  it('denies each gated call of a client without approvals, with a clear error [A12, A25]', async () => {
    const { url, ran } = await serveDialects([[pay('Alice', 30), pay('Bob', 40)], [{ text: 'Not paid.' }]]);
    const frames = await toolEvents(url, 'Pay both');
    expect(frameTypes(frames)).toEqual([
      'message_start',
      'tool_call_start',
      'tool_call_error',
      'tool_call_start',
      'tool_call_error',
      'text_delta',
      'message_end',
    ]);
    expect(frames.filter(({ type }) => type === 'tool_call_error')).toMatchObject(
      Array(2).fill({ error: 'The call was denied: This client cannot ask for approval.', retryable: false }),
    );
    expect(ran).toEqual([]);
  });

  it('reports a call that only a page could execute as an error, and continues [A12]', async () => {
    const { url } = await serveDialects([[{ call: 'theme', id: 'theme' }], [{ text: 'No theme.' }]]);
    const frames = await toolEvents(url, 'Which theme?');
    expect(frames.slice(1, 3)).toMatchObject([
      { type: 'tool_call_start', toolCallId: 'theme' },
      { type: 'tool_call_error', toolCallId: 'theme', error: 'This client runs no tools.' },
    ]);
    expect(frames.at(-1)?.type).toBe('message_end');
  });

  it('asks no one about a call that only a page could execute, and reports it as an error [A12, A25]', async () => {
    const { url } = await serveDialects([[{ call: 'locate', id: 'locate' }], [{ text: 'Nowhere.' }]]);
    const frames = await toolEvents(url, 'Where am I?', { acceptApprovals: true });
    expect(frameTypes(frames)).toEqual([
      'message_start',
      'tool_call_start',
      'tool_call_error',
      'text_delta',
      'message_end',
    ]);
    expect(frames[2]).toMatchObject({ error: 'The call was denied: This client runs no tools.' });
  });
});
