import { generateText, type ModelMessage, streamText, type ToolSet, tool } from 'ai';
import type { Script } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { perTurn } from '../support/per-turn.ts';
import { responsesGateway } from '../support/responses-gateway.ts';
import { responsesScenarios } from '../support/responses-scenarios.ts';

type Gateway = Awaited<ReturnType<typeof responsesGateway>>;
type Settings = {
  readonly modelId?: string;
  readonly store?: boolean;
  readonly previousResponseId?: string;
  readonly tools?: ToolSet;
  readonly metadata?: Record<string, string>;
};

/** The part of the results of both AI SDK functions that these tests use. */
type Result = {
  readonly text: string;
  readonly content: readonly { readonly type: string }[];
  readonly finishReason: string;
  readonly responseMessages: readonly ModelMessage[];
  readonly usage: { readonly inputTokens?: number; readonly outputTokens?: number };
  readonly responseId: unknown;
};

const functions = [
  {
    name: 'generateText',
    async ask(gateway: Gateway, messages: ModelMessage[], settings: Settings = {}): Promise<Result> {
      const result = await generateText(callOf(gateway, messages, settings));
      const { text, content, finishReason, responseMessages, usage, finalStep } = result;
      const responseId = finalStep.providerMetadata?.openai?.responseId;
      return { text, content, finishReason, responseMessages, usage, responseId };
    },
  },
  {
    name: 'streamText',
    async ask(gateway: Gateway, messages: ModelMessage[], settings: Settings = {}): Promise<Result> {
      const errors: unknown[] = [];
      const onError = ({ error }: { error: unknown }) => void errors.push(error);
      const result = streamText({ ...callOf(gateway, messages, settings), onError });
      await result.consumeStream();
      if (errors.length > 0) throw errors[0];
      return {
        text: await result.text,
        content: await result.content,
        finishReason: await result.finishReason,
        responseMessages: await result.responseMessages,
        usage: await result.usage,
        responseId: (await result.finalStep).providerMetadata?.openai?.responseId,
      };
    },
  },
];

function callOf({ provider }: Gateway, messages: ModelMessage[], settings: Settings) {
  const { modelId = 'gpt-5.4-mini', store, previousResponseId, tools, metadata } = settings;
  return {
    model: provider.responses(modelId),
    messages,
    maxRetries: 0,
    tools: {
      file_search: provider.tools.fileSearch({ vectorStoreIds: ['docs'] }),
      web_search: provider.tools.webSearch(),
      ...tools,
    },
    providerOptions: {
      openai: {
        ...(metadata && { metadata }),
        ...(store === undefined ? {} : { store }),
        ...(previousResponseId === undefined ? {} : { previousResponseId }),
      },
    },
  };
}

const said = (content: string): ModelMessage => ({ role: 'user', content });

describe.each(functions)('`@ai-sdk/openai` in $name', ({ ask }) => {
  it.each(responsesScenarios)('completes $name [C7, C12]', async ({ script, text, output }) => {
    const gateway = await responsesGateway(perTurn(script));
    const result = await ask(gateway, [said('Go.')]);
    expect(result.text).toBe(text);
    expect(result.finishReason).toBe('stop');
    const kinds = output.filter((type) => type.endsWith('_call')).map(() => 'tool-result');
    expect(result.content.map(({ type }) => type).filter((type) => type.startsWith('tool-result'))).toEqual(
      kinds,
    );
    expect(result.content.filter(({ type }) => type === 'tool-error')).toEqual([]);
    expect(result.usage).toMatchObject({ inputTokens: 10 * script.length, outputTokens: 5 * script.length });
  });

  it.each([
    { approved: true, runs: 1, text: 'Paid.' },
    { approved: false, runs: 0, text: 'Not paid.' },
  ])('asks, and accepts approved: $approved [C18]', async ({ approved, runs, text }) => {
    const gateway = await responsesGateway(payment);
    const messages = [said('Pay Alice.')];
    const asked = await ask(gateway, messages);
    expect(gateway.ran).toEqual([]);
    messages.push(...asked.responseMessages, answerTo(asked, approved));
    const answered = await ask(gateway, messages);
    expect(answered.text).toBe(text);
    expect(gateway.ran).toHaveLength(runs);
    expect(answered.content.map(({ type }) => type)).toContain('tool-result');
  });

  it('continues the chat after an answer, with the whole history sent each time [C18]', async () => {
    const gateway = await responsesGateway(payment);
    const messages = [said('Pay Alice.')];
    const asked = await ask(gateway, messages);
    messages.push(...asked.responseMessages, answerTo(asked, true));
    messages.push(...(await ask(gateway, messages)).responseMessages, said('Once more.'));
    const askedAgain = await ask(gateway, messages);
    expect(gateway.ran).toHaveLength(1);
    messages.push(...askedAgain.responseMessages, answerTo(askedAgain, true));
    expect((await ask(gateway, messages)).text).toBe('Paid.');
    expect(gateway.ran).toHaveLength(2);
    const chats = await gateway.flow.chats.list({ principal: { id: 'ada', name: 'Ada' } });
    expect(chats.items).toHaveLength(1);
  });

  it.each([
    { how: 'the ids of its items', modelId: 'gpt-4.1', follow: () => ({}) },
    {
      how: 'previousResponseId',
      modelId: 'gpt-5.4-mini',
      follow: (id: string) => ({ previousResponseId: id }),
    },
  ])('continues a chat by $how [C15]', async ({ modelId, follow }) => {
    const gateway = await responsesGateway(countMessages);
    await ask(gateway, [said('Another chat.')], { modelId });
    const messages = [said('One.')];
    const first = await ask(gateway, messages, { modelId });
    messages.push(...first.responseMessages, said('Two.'));
    const second = await ask(gateway, messages, { modelId, ...follow(String(first.responseId)) });
    expect(second.text).toBe('2 messages.');
    const { items } = await gateway.flow.chats.list({ principal: { id: 'ada', name: 'Ada' } });
    expect(items).toHaveLength(2);
  });

  it.each([
    { where: 'without ids', modelId: 'gpt-5.4-mini', settings: {} },
    { where: 'stored nowhere', modelId: 'gpt-4.1', settings: { store: false } },
  ])('passes a history on to the model in a new chat, $where [C15]', async ({ modelId, settings }) => {
    const gateway = await responsesGateway(countMessages);
    const messages = [said('One.')];
    messages.push(...(await ask(gateway, messages, { modelId, ...settings })).responseMessages, said('Two.'));
    expect((await ask(gateway, messages, { modelId, ...settings })).text).toBe('2 messages.');
    const prompt = gateway.model.calls.at(-1)?.prompt ?? [];
    expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const { items } = await gateway.flow.chats.list({ principal: { id: 'ada', name: 'Ada' } });
    expect(items).toHaveLength(2);
  });

  it('executes a function of its own, and continues with the output [C15]', async () => {
    const gateway = await responsesGateway(perTurn([[{ call: 'theme' }], [{ text: 'Dark, then.' }]]));
    const theme = tool({ inputSchema: z.object({}) });
    const messages = [said('Which theme?')];
    const first = await ask(gateway, messages, { tools: { theme } });
    expect(first.finishReason).toBe('tool-calls');
    const call = first.content.find(
      (part): part is { type: 'tool-call'; toolCallId: string } => part.type === 'tool-call',
    );
    messages.push(...first.responseMessages, {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: call?.toolCallId ?? '',
          toolName: 'theme',
          output: { type: 'text', value: 'dark' },
        },
      ],
    });
    expect((await ask(gateway, messages, { tools: { theme } })).text).toBe('Dark, then.');
  });

  it('reports a failure of the model [C16]', async () => {
    const gateway = await responsesGateway([[{ reject: new Error('secret detail') }]]);
    const failed = ask(gateway, [said('Go.')]);
    await expect(failed).rejects.toThrow('The model call failed');
    await expect(failed).rejects.not.toThrow('secret');
  });
});

describe('`@ai-sdk/openai` in streamText, for a request that wants functions [C7]', () => {
  const metadata = { server_tools: 'function_call' };
  const [, streaming] = functions;
  const weather = tool({ inputSchema: z.object({ city: z.string() }) });

  it('reads the calls of a server tool that it declares, and the server alone runs them [C7, C15]', async () => {
    const script = perTurn([[{ call: 'weather', input: { city: 'Tokyo' } }], [{ text: 'Sunny.' }]]);
    const gateway = await responsesGateway(script);
    const messages = [said('Go.')];
    const first = await streaming?.ask(gateway, messages, { tools: { weather }, metadata });
    expect(first?.text).toBe('Sunny.');
    expect(first?.content).toContainEqual(
      expect.objectContaining({ type: 'tool-call', toolName: 'weather', input: { city: 'Tokyo' } }),
    );
    expect(first?.content).not.toContainEqual(expect.objectContaining({ invalid: true }));
    expect(gateway.ran).toHaveLength(1);
  });

  it('is refused a function with the name of a server tool unless it wants functions [C15]', async () => {
    const gateway = await responsesGateway([[{ text: 'Hi.' }]]);
    const refused = streaming?.ask(gateway, [said('Go.')], { tools: { weather } });
    await expect(refused).rejects.toThrow('weather is a tool of this server, which runs it.');
  });
});

/** Pays if allowed, and reports the outcome. */
const payment: Script = ({ prompt }) => {
  const last = prompt.at(-1);
  if (last?.role !== 'tool') return [{ call: 'pay', input: { to: 'Alice', amount: 30 } }];
  return [{ text: JSON.stringify(last.content).includes('execution-denied') ? 'Not paid.' : 'Paid.' }];
};

const countMessages: Script = ({ prompt }) => [
  { text: `${prompt.filter(({ role }) => role === 'user').length} messages.` },
];

function answerTo({ content }: Result, approved: boolean): ModelMessage {
  const request = content.find(
    (part): part is { type: 'tool-approval-request'; approvalId: string } =>
      part.type === 'tool-approval-request',
  );
  if (!request) throw new Error('The response has no question.');
  return {
    role: 'tool',
    content: [
      { type: 'tool-approval-response', approvalId: request.approvalId, approved, providerExecuted: true },
    ],
  };
}
