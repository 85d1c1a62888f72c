import { openai } from '@ai-sdk/openai';
import { describe, expect, it } from 'vitest';
import { plain } from '../support/client-message.ts';
import { databaseTools, openAIFlow, temporaryFile } from '../support/openai-flow.ts';
import type { ResponseItem, ScriptedResponse } from '../support/openai-script.ts';

const mcp = openai.tools.mcp({
  serverLabel: 'mail',
  serverUrl: 'https://mcp.example.com',
  requireApproval: 'always',
});

const releases = ['final', 'progressive'] as const;

const said = (text: string) => ({ role: 'user', content: [{ type: 'input_text', text }] });
const reference = (id: string) => ({ type: 'item_reference', id });
const answered = (id: string, approve: boolean) => ({
  type: 'mcp_approval_response',
  approval_request_id: id,
  approve,
});

const input = { to: 'bob' };
const thoughts: ResponseItem = { reasoning: ['Mail him.'], id: 'rs_1' };
const mayI: ResponseItem = { approval: 'send_mail', id: 'mcpr_1', input, server: 'mail' };
const sent: ResponseItem = {
  mcpCall: 'send_mail',
  id: 'mcp_1',
  input,
  output: 'Sent.',
  approvalId: 'mcpr_1',
  server: 'mail',
};
const search: ResponseItem = {
  call: 'search_database',
  id: 'fc_1',
  callId: 'call_1',
  input: { query: 'users' },
};
const mailed: ResponseItem = { text: 'Bob has his mail.', id: 'msg_1' };
const notMailed: ResponseItem = { text: 'I did not mail Bob, since you said no.', id: 'msg_1' };

const output = {
  type: 'call',
  serverLabel: 'mail',
  name: 'send_mail',
  arguments: '{"to":"bob"}',
  output: 'Sent.',
};

/** A model vendor's MCP call that asks, over the real wire. @source T14 */
describe('an approval that the provider asks for', () => {
  it.each(releases)(
    "sends the approval by the provider's own id, and the result settles the asked part (%s)",
    async (release) => {
      const script = [
        [thoughts, mayI],
        [sent, mailed],
      ];
      const { server, chat } = await openAIFlow(script, { tools: { mcp }, release });
      const { say, answer, violations, message, stored } = chat();
      const question = await say('Mail Bob');
      const final = await answer(true);

      expect(server.requests.map((request) => request.input)).toEqual([
        [said('Mail Bob')],
        [said('Mail Bob'), reference('rs_1'), reference('mcpr_1'), answered('mcpr_1', true)],
      ]);
      expect(server.requests[0]?.tools).toMatchObject([{ type: 'mcp', require_approval: 'always' }]);

      const request = question.find((chunk) => chunk.type === 'tool-approval-request');
      expect(request?.approvalId).not.toBe('mcpr_1');
      expect(request?.approvalDescriptor).toMatchObject({
        description: 'Run send mail.',
        mayAnswer: true,
        mayEdit: false,
        mayRemember: false,
      });
      const [part, ...others] = toolParts(message());
      expect(others).toEqual([]);
      expect(part).toMatchObject({
        toolCallId: request?.toolCallId,
        toolName: 'mcp.send_mail',
        state: 'output-available',
        providerExecuted: true,
        input,
        output,
      });
      expect(phasesIn(final)).toEqual(['started', 'completed']);
      expect(violations()).toEqual([]);
      expect(plain(await stored())).toEqual(message());
    },
  );

  it.each(releases)('sends a denial to the provider, and denies the call (%s)', async (release) => {
    const script = [[thoughts, mayI], [notMailed]];
    const { server, chat } = await openAIFlow(script, { tools: { mcp }, release });
    const { say, answer, violations, message, stored } = chat();
    await say('Mail Bob');
    const final = await answer(false, 'He is on holiday.');

    expect(server.requests.at(-1)?.input).toEqual([
      said('Mail Bob'),
      reference('rs_1'),
      reference('mcpr_1'),
      answered('mcpr_1', false),
    ]);
    expect(final.filter((chunk) => chunk.type === 'tool-output-denied')).toHaveLength(1);
    expect(toolParts(message())).toMatchObject([{ state: 'output-denied' }]);
    const text = 'I did not mail Bob, since you said no.';
    expect(message().parts).toContainEqual(expect.objectContaining({ type: 'text', text, state: 'done' }));
    expect(violations()).toEqual([]);
    expect(plain(await stored())).toEqual(message());
  });

  it.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('shares the queue with a function call of the same step (%s, %s)', async (mail, look) => {
    const { tools, ran } = databaseTools();
    const script = [[thoughts, mayI, search], mail ? [sent, mailed] : [notMailed]];
    const { server, chat } = await openAIFlow(script, { tools: { ...tools, mcp } });
    const { say, answer, violations, message } = chat();
    await say('Mail Bob');
    await answer(mail);
    expect(server.requests).toHaveLength(1);
    await answer(look);

    expect(server.requests.at(-1)?.input).toEqual([
      said('Mail Bob'),
      reference('rs_1'),
      { type: 'function_call', call_id: 'call_1', name: 'search_database', arguments: '{"query":"users"}' },
      reference('mcpr_1'),
      answered('mcpr_1', mail),
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: look ? '{"rows":10}' : 'Tool call execution denied.',
      },
    ]);
    const state = (approved: boolean) => (approved ? 'output-available' : 'output-denied');
    expect(toolParts(message()).map((part) => part.state)).toEqual([state(mail), state(look)]);
    expect(ran).toEqual(look ? ['search users'] : []);
    expect(violations()).toEqual([]);
  });

  it('keeps two equal requests apart: the result belongs to the approved one', async () => {
    const script: ScriptedResponse[] = [
      [mayI, { ...mayI, id: 'mcpr_2' }],
      [{ ...sent, approvalId: 'mcpr_2' }, mailed],
    ];
    const { server, chat } = await openAIFlow(script, { tools: { mcp } });
    const { say, answer, violations, message } = chat();
    await say('Mail Bob');
    await answer(false);
    await answer(true);

    expect(server.requests.at(-1)?.input).toEqual([
      said('Mail Bob'),
      reference('mcpr_1'),
      answered('mcpr_1', false),
      reference('mcpr_2'),
      answered('mcpr_2', true),
    ]);
    expect(toolParts(message()).map((part) => part.state)).toEqual(['output-denied', 'output-available']);
    expect(violations()).toEqual([]);
  });

  it("keeps the whole exchange in the API's order when the chat continues", async () => {
    const bye: ResponseItem = { text: 'Bye.', id: 'msg_2' };
    const { server, chat } = await openAIFlow([[thoughts, mayI], [sent, mailed], [bye]], { tools: { mcp } });
    const { say, answer } = chat();
    await say('Mail Bob');
    await answer(true);
    await say('Bye');

    expect(server.requests.at(-1)?.input).toEqual([
      said('Mail Bob'),
      reference('rs_1'),
      reference('mcpr_1'),
      answered('mcpr_1', true),
      reference('mcp_1'),
      { role: 'assistant', content: 'Bob has his mail.' },
      said('Bye'),
    ]);
  });

  it('withdraws it when a new message is sent instead of an answer, and denies it to the provider', async () => {
    const { server, chat } = await openAIFlow([[mayI], [{ text: 'Fine.', id: 'msg_2' }]], { tools: { mcp } });
    const { say } = chat();
    await say('Mail Bob');
    await say('Never mind');

    expect(server.requests.at(-1)?.input).toEqual([
      said('Mail Bob'),
      reference('mcpr_1'),
      answered('mcpr_1', false),
      said('Never mind'),
    ]);
  });
});

describe('an approved call that the provider should run', () => {
  it('continues after a restart between the question and its answer', async () => {
    const script = [
      [thoughts, mayI],
      [sent, mailed],
    ];
    const { server, chat, restart } = await openAIFlow(script, { tools: { mcp }, path: temporaryFile() });
    const { say, answer, violations, message } = chat();
    await say('Mail Bob');
    await restart();
    await answer(true);

    expect(server.requests.at(-1)?.input).toContainEqual(answered('mcpr_1', true));
    expect(toolParts(message())).toMatchObject([{ state: 'output-available', output }]);
    expect(violations()).toEqual([]);
  });

  it('has an unknown outcome when its request fails: it is sent once, and the approval is withdrawn', async () => {
    const script: ScriptedResponse[] = [
      [mayI],
      { refuse: 500, message: 'Broken.' },
      [{ text: 'I will look.', id: 'msg_2' }],
    ];
    const { server, chat } = await openAIFlow(script, { tools: { mcp }, maxRetries: 2 });
    const { say, answer, violations, message } = chat();
    await say('Mail Bob');
    const failed = await answer(true);

    expect(server.requests).toHaveLength(2);
    expect(failed.at(-1)?.type).toBe('error');
    expect(toolParts(message())).toMatchObject([{ state: 'output-error' }]);
    expect(toolParts(message())[0]?.errorText).toMatch(/^outcome-unknown:/);
    expect(violations()).toEqual([]);

    await say('Did it work?');
    expect(server.requests.at(-1)?.input).toContainEqual(answered('mcpr_1', false));
    expect(server.requests.at(-1)?.input).not.toContainEqual(answered('mcpr_1', true));
  });

  it('is not started again when the server dies while it runs', async () => {
    const script: ScriptedResponse[] = [
      [mayI],
      [{ breaksOff: 'never' }],
      [{ text: 'I do not know.', id: 'msg_2' }],
    ];
    const path = temporaryFile();
    const { server, chat, restart } = await openAIFlow(script, { tools: { mcp }, path });
    const { say, answerElsewhere, resume, message } = chat();
    await say('Mail Bob');
    await answerElsewhere(true);
    await server.arrived(2);
    await restart();
    await resume();

    const approvals = server.requests.map(({ input }) =>
      input.flatMap((item) => (item.type === 'mcp_approval_response' ? [item.approve] : [])),
    );
    expect(approvals).toEqual([[], [true], [false]]);
    expect(toolParts(message())[0]?.errorText).toMatch(/^outcome-unknown:/);
  });

  it('has an unknown outcome when the provider never reports on it', async () => {
    const { chat } = await openAIFlow([[mayI], [mailed]], { tools: { mcp } });
    const { say, answer, violations, message } = chat();
    await say('Mail Bob');
    await answer(true);
    expect(toolParts(message())[0]?.errorText).toBe('outcome-unknown: the provider reported no result.');
    expect(violations()).toEqual([]);
  });

  it('may be reported in a later step than the one it was sent with', async () => {
    const { tools } = databaseTools();
    const script = [[mayI], [search], [sent, mailed]];
    const { chat } = await openAIFlow(script, { tools: { ...tools, mcp } });
    const { say, answer, violations, message } = chat();
    await say('Mail Bob');
    await answer(true);
    await answer(true);
    expect(toolParts(message()).map((part) => part.state)).toEqual(['output-available', 'output-available']);
    expect(violations()).toEqual([]);
  });
});

type ShownPart = { toolCallId: unknown; state?: unknown; errorText?: unknown };

function toolParts({ parts }: { parts: readonly object[] }): ShownPart[] {
  return parts.filter((part): part is ShownPart => 'toolCallId' in part);
}

function phasesIn(chunks: readonly object[]): unknown[] {
  return chunks.flatMap((chunk) => {
    const data = 'data' in chunk ? chunk.data : undefined;
    return typeof data === 'object' && data !== null && 'phase' in data ? [data.phase] : [];
  });
}
