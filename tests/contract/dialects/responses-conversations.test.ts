import type { Script } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import type { ResponseObject } from '../../../lib/plugins/responses/client/schema/response-schema.ts';
import { chatOfId } from '../../../lib/plugins/responses/ids.ts';
import { derivedId } from '../../../lib/plugins/responses/request/end-user.ts';
import { type Clock, parseApprovalId, parseChatId } from '../../../lib/protocol/index.ts';
import { ada, userMessage } from '../../support/flow-fixture.ts';
import { responsesGateway } from '../../support/responses-gateway.ts';

type Gateway = Awaited<ReturnType<typeof responsesGateway>>;
/** What a request has beside its input. */
type Row = { headers: Record<string, string>; more: object };
type Settings = Parameters<typeof responsesGateway>[1];

/** Pays when the last message asks for it, and otherwise says what it has read. */
const teller: Script = ({ prompt }) => {
  const last = prompt.at(-1);
  if (last?.role === 'tool') return [{ text: 'Paid.' }];
  const said = prompt.flatMap(({ role, content }) => (role === 'user' ? [textOf(content)] : []));
  if (said.at(-1)?.includes('Pay')) return [{ call: 'pay', input: { to: 'Dup', amount: 77 } }];
  return [{ text: `Read: ${said.join(' | ')}` }];
};

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const pay = user('Pay Dup 77');
const there = user('Are you there?');

async function conversation(settings?: Settings) {
  const gateway = await responsesGateway(teller, settings);
  return {
    ...gateway,
    send: (input: unknown, more: object = {}, headers: Record<string, string> = {}) =>
      answerOf(gateway, { input, ...more }, headers),
    chats: async () => (await gateway.flow.chats.list({ principal: ada })).items,
    open: async () => (await gateway.flow.approvals.list({ principal: ada, state: 'open' })).items,
    approve: async (response: ResponseObject) => {
      const approvalId = parseApprovalId(questionIn(response).split('.')[1]);
      const { runId } = await gateway.flow.approvals.answer({
        principal: ada,
        approvalId,
        approved: true,
        via: 'test',
      });
      const chatId = chatOfId(response.id);
      if (!chatId || !runId) throw new Error('Nothing continued.');
      const stream = await gateway.flow.chats.follow({ principal: ada, chatId, runId });
      for await (const _event of stream?.events ?? []);
    },
  };
}

async function answerOf({ post }: Gateway, body: object, headers: Record<string, string>) {
  const response = await post(body, headers);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const parsed: ResponseObject = await response.json();
  return parsed;
}

describe('a client of the Responses gateway that holds its own history', () => {
  it('is not asked again about a call when it writes on, and pays once [C15]', async () => {
    const { send, chats, open, approve, ran } = await conversation();
    const first = await send([pay]);
    const second = await send([pay, there]);
    expect(second).toMatchObject({ id: first.id, output: first.output, status: 'completed' });
    expect([(await chats()).length, (await open()).length]).toEqual([1, 1]);
    await approve(first);
    const third = await send([pay, there, user('Hello?')]);
    expect(textIn(third)).toBe('Read: Pay Dup 77 | Are you there?Hello?');
    const fourth = await send([pay, there, user('Hello?'), assistant(textIn(third)), user('Good.')]);
    expect(textIn(fourth)).toBe('Read: Pay Dup 77 | Are you there?Hello? | Good.');
    expect([(await chats()).length, ran.length]).toEqual([1, 1]);
  });

  it('does not continue a chat that the same person began elsewhere with the same words [C15]', async () => {
    const { flow, send, chats, open } = await conversation();
    const chatId = parseChatId('page');
    const message = userMessage('message-1', pay.content);
    const request = { chatId, principal: ada, trigger: 'submit-message' as const, message, via: 'sse' };
    for await (const _event of (await flow.chats.respond(request)).events);
    const response = await send([pay]);
    expect(chatOfId(response.id)).not.toBe(chatId);
    expect([(await chats()).length, (await open()).length]).toEqual([2, 2]);
  });

  it('gets the open question again for an equal request, and a new one once it is answered [C15]', async () => {
    const { send, chats, approve } = await conversation();
    const first = await send([pay]);
    expect(await send('Pay Dup 77')).toMatchObject({ id: first.id, output: first.output });
    await approve(first);
    const second = await send([pay]);
    expect(questionIn(second)).not.toBe(questionIn(first));
    expect(await chats()).toHaveLength(2);
  });

  it.each([
    { why: 'another request', input: [user('Pay Dup 7'), there] },
    { why: 'a request that only begins alike', input: [user('Pay Dup 770')] },
    { why: 'words that the assistant never said', input: [pay, assistant('Which account?'), there] },
  ])('begins a chat of its own with $why [C15]', async ({ input }) => {
    const { send, chats } = await conversation();
    await send([pay]);
    await send(input);
    expect(await chats()).toHaveLength(2);
  });

  it('begins a chat of its own a day after the question [C15]', async () => {
    let now = Date.now();
    const clock: Clock = { now: () => now, after: () => () => {} };
    const { send, chats } = await conversation({ handler: { clock } });
    await send([pay]);
    now += 24 * 60 * 60 * 1_000 + 60_000;
    await send([pay, there]);
    expect(await chats()).toHaveLength(2);
  });

  it('does not continue a conversation that has asked nothing [C15]', async () => {
    const { send, chats } = await conversation();
    const first = await send([user('Hi.')]);
    const second = await send([user('Hi.'), assistant(textIn(first)), there]);
    expect(textIn(second)).toBe('Read: Hi. | Are you there?');
    expect(await chats()).toHaveLength(2);
  });

  it('finds its conversation on another instance, and after a restart [C15]', async () => {
    const first = await conversation();
    const asked = await first.send([pay]);
    const second = await conversation({ store: first.store });
    expect(await second.send([pay, there])).toMatchObject({ id: asked.id, output: asked.output });
  });

  it('does not find another user’s conversation [C15]', async () => {
    const { send, open } = await conversation();
    const first = await send([pay]);
    const other = await send([pay, there], {}, { authorization: 'Bearer eve' });
    expect(chatOfId(other.id)).not.toBe(chatOfId(first.id));
    expect(await open()).toHaveLength(1);
  });

  it.each<Row & { name: string }>([
    { name: 'session_id', headers: { session_id: '0199-a' }, more: {} },
    { name: 'x-session-id', headers: { 'x-session-id': '0199-a' }, more: {} },
    { name: 'prompt_cache_key', headers: {}, more: { prompt_cache_key: '0199-a' } },
  ])('continues the conversation of its $name [C15]', async ({ headers, more }) => {
    const { send, chats, ran, approve } = await conversation();
    const hello = await send([user('Hi.')], more, headers);
    const history = [user('Hi.'), assistant(textIn(hello))];
    const asked = await send([...history, pay], more, headers);
    const repeated = await send([...history, pay, there], more, headers);
    expect(repeated).toMatchObject({ id: asked.id, output: asked.output });
    await approve(asked);
    const last = await send([...history, pay, there], more, headers);
    expect(textIn(last)).toBe('Read: Hi. | Pay Dup 77 | Are you there?');
    expect([(await chats()).length, ran.length]).toEqual([1, 1]);
  });

  it('may use one prompt_cache_key for several conversations [C15]', async () => {
    const { send, chats } = await conversation();
    const more = { prompt_cache_key: 'app' };
    await Promise.all([send([user('One.')], more), send([user('Two.')], more)]);
    expect(textIn(await send([user('One.')], more))).toBe('Read: One.');
    expect(await chats()).toHaveLength(3);
  });

  it('keeps its session when it has cut its history [C15]', async () => {
    const { send, chats } = await conversation();
    const headers = { session_id: '0199-a' };
    await send([user('One.')], {}, headers);
    const last = await send([user('Summary: One was said.'), there], {}, headers);
    expect(textIn(last)).toBe('Read: One. | Summary: One was said.Are you there?');
    expect(await chats()).toHaveLength(1);
  });

  it('begins again under its session when the chat was erased [C15]', async () => {
    const { send, flow } = await conversation();
    const headers = { session_id: '0199-a' };
    const first = await send([user('One.')], {}, headers);
    const chatId = chatOfId(first.id);
    if (!chatId) throw new Error('The response names no chat.');
    await flow.chats.erase({ chatId, principal: ada });
    const history = [user('One.'), assistant(textIn(first)), user('Two.')];
    expect(textIn(await send(history, {}, headers))).toBe('Read: One. | Two.');
    expect(textIn(await send([user('One.')], {}, headers))).toBe('Read: One.');
  });

  it('begins a chat of its own if another user has taken the id of its session [C15]', async () => {
    const { send, flow, chats } = await conversation();
    const eve = { id: 'eve', name: 'Eve' };
    const chatId = parseChatId(derivedId('session', [ada.id, '0199-a']));
    const message = userMessage('taken', 'Mine.');
    await flow.chats.respond({ chatId, principal: eve, trigger: 'submit-message', message, via: 'test' });
    expect(textIn(await send([user('Hi.')], {}, { session_id: '0199-a' }))).toBe('Read: Hi.');
    expect(await chats()).toHaveLength(1);
  });

  it('sends its first message again with its answer, and is not asked twice [C15, C18]', async () => {
    const { send, chats, open, ran } = await conversation();
    const first = await send([pay]);
    const answer = { type: 'mcp_approval_response', approval_request_id: questionIn(first), approve: true };
    expect(textIn(await send([pay, answer]))).toBe('Paid.');
    expect([(await chats()).length, (await open()).length, ran.length]).toEqual([1, 0, 1]);
  });
});

describe('a client that shows no approval requests', () => {
  const ofText: (Row & { client: string })[] = [
    { client: 'that says so', headers: {}, more: { metadata: { server_tools: 'text' } } },
    { client: 'Codex CLI', headers: { 'user-agent': 'codex_cli_rs/0.98.0 (Debian; x86_64)' }, more: {} },
    {
      client: '`ai` 5 with `@ai-sdk/openai` 2',
      headers: { 'user-agent': 'ai/5.0.277 ai-sdk/provider-utils/3.0.40 runtime/node.js/v24.21.0' },
      more: {},
    },
  ];

  it.each(ofText)('$client is told what waits and where to answer [C15, C18]', async ({ headers, more }) => {
    const { send, open, ran } = await conversation();
    const first = await send([pay], more, headers);
    const [question] = await open();
    expect(first.output.map(({ type }) => type)).toEqual(['message']);
    for (const told of [question?.id, question?.chatId, question?.description, '127.0.0.1:']) {
      expect(textIn(first)).toContain(told);
    }
    const second = await send([pay, assistant(textIn(first)), there], more, headers);
    expect(textIn(second)).toBe(textIn(first));
    expect([(await open()).length, ran.length]).toEqual([1, 0]);
  });

  it('is not asked again when it names the response that asked [C15]', async () => {
    const { send, open } = await conversation();
    const more = { metadata: { server_tools: 'text' } };
    const first = await send([pay], more);
    const second = await send([there], { ...more, previous_response_id: first.id });
    expect(second.output).toEqual(first.output);
    expect(await open()).toHaveLength(1);
  });

  it('continues after the answer, and reads nothing of the call but what the model says [C15]', async () => {
    const { send, approve } = await conversation();
    const more = { metadata: { server_tools: 'text' } };
    const first = await send([pay], more);
    await approve(await send([pay]));
    const last = await send([pay, assistant(textIn(first)), there], more);
    expect(textIn(last)).toBe('Read: Pay Dup 77 | Are you there?');
    expect(last.output.map(({ type }) => type)).toEqual(['message']);
  });
});

function questionIn({ output }: ResponseObject): string {
  const request = output.find(({ type }) => type === 'mcp_approval_request');
  if (!request) throw new Error('The response has no question.');
  return request.id;
}

function textIn({ output }: ResponseObject): string {
  return output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => (part.type === 'output_text' ? part.text : ''))
    .join('');
}

function textOf(content: string | readonly { type: string; text?: string }[]): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');
}
