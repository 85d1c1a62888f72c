import { type LanguageModel, type ToolSet, tool } from 'ai';
import type { FlowSettings } from 'countersign';
import type { Script, ScriptedPart } from 'countersign/testing';
import { expect, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { adr } from '../support/adr.ts';
import { flowFixture, questionIn, userMessage } from '../support/flow-fixture.ts';
import { research, subagentFixture } from '../support/subagent-fixture.ts';

const { clause } = adr('0055-a-prompt-fits-its-provider.md');

const named = (model: LanguageModel, provider: string) =>
  ({ ...(model as object), provider }) as LanguageModel;

/** A chat whose model has the name of a provider, which can change. */
function chatOn(first: string, script: Script, settings: Partial<FlowSettings> = {}) {
  let provider = first;
  const warned: object[] = [];
  const fixture = flowFixture(script, {
    prepareCall: (given) => ({ ...given, model: named(given.model, provider) }),
    logger: { warn: (_message, facts) => warned.push(facts), error: () => {} },
    ...settings,
  });
  return {
    ...fixture,
    warned,
    switchTo: (next: string) => {
      provider = next;
    },
    /** The parts of the assistant's messages in the last prompt. */
    made: () =>
      fixture.model.calls
        .at(-1)
        ?.prompt.flatMap(({ role, content }) => (role === 'assistant' ? content : [])) ?? [],
    results: () =>
      fixture.model.calls.at(-1)?.prompt.flatMap(({ role, content }) => (role === 'tool' ? content : [])),
  };
}

const done: ScriptedPart[] = [{ text: 'Done.' }];
const pay = (id: string): ScriptedPart => ({ call: 'pay', id, input: { to: 'alice', amount: 5 } });
const searched: ScriptedPart[] = [
  { reasoning: 'Hm.', providerMetadata: { anthropic: { signature: 'signed' } } },
  { providerCall: 'web_search', id: 'srvtoolu_1', input: { query: 'x' }, result: ['row'] },
  { text: 'Found.' },
];
const nine = /^[A-Za-z0-9]{9}$/;

clause('0055.1', async () => {
  const { say, answer, switchTo, made, warned, view, id } = chatOn('anthropic.messages', [
    [...searched, pay('toolu_1')],
    done,
    done,
  ]);
  const asked = await say('Go.');
  switchTo('mistral.chat');
  await answer(questionIn(asked), true);
  expect(made().map(({ type }) => type)).toEqual(['text', 'tool-call']);
  await say('More.');
  const leftOut = { reasoning: 1, 'tool-call': 1, 'tool-result': 1 };
  expect(warned).toEqual([{ chatId: id, provider: 'mistral.chat', leftOut }]);
  const shown = (await view()).messages.flatMap(({ parts }) => parts.map(({ type }) => type));
  expect(shown).toContain('reasoning');
});

clause('0055.2', async () => {
  const { say, switchTo, made } = chatOn('anthropic.messages', [searched, done, done]);
  await say('Go.');
  switchTo('mistral.chat');
  await say('More.');
  const cut = made();
  expect(cut).toMatchObject([{ type: 'text' }]);
  switchTo('anthropic.messages');
  await say('Back.');
  expect(made()).toMatchObject([
    { type: 'reasoning', providerOptions: { anthropic: { signature: 'signed' } } },
    { type: 'tool-call', toolCallId: 'srvtoolu_1' },
    { type: 'tool-result', toolCallId: 'srvtoolu_1' },
    { type: 'text' },
    { type: 'text' },
  ]);
  // The rejected option: the messages as they would be recorded.
  expect(JSON.stringify(cut)).not.toContain('signed');
});

clause('0055.3', async () => {
  const { say, answer, switchTo, made, results, ran, view } = chatOn('compatible.chat', [
    [pay('pay:0')],
    done,
    done,
    done,
  ]);
  const asked = await say('Go.');
  switchTo('anthropic.messages');
  await answer(questionIn(asked), true);
  const [call] = made();
  expect(call).toMatchObject({ type: 'tool-call', toolCallId: expect.stringMatching(nine) });
  const { toolCallId } = call as { readonly toolCallId: string };
  expect(results()).toMatchObject([{ toolCallId }]);
  await say('More.');
  expect(made()[0]).toMatchObject({ toolCallId });
  expect(ran).toMatchObject([{ toolCallId: 'pay:0' }]);
  expect(JSON.stringify(await view())).not.toContain(toolCallId);
  switchTo('compatible.chat');
  await say('Back.');
  expect(made()[0]).toMatchObject({ toolCallId: 'pay:0' });
});

clause('0055.4', async () => {
  for (const provider of ['openai.responses', 'anthropic.messages', 'a.provider.of.our.own']) {
    const { say, made, results, warned } = chatOn(provider, [
      [{ call: 'math.add', id: 'a', input: {} }],
      done,
    ]);
    await say('Go.');
    expect(made()).toMatchObject([{ toolName: 'math_add' }]);
    expect(results()).toMatchObject([{ toolName: 'math_add', output: { type: 'error-text' } }]);
    expect(warned).toEqual([]);
  }
});

clause('0055.5', async () => {
  const { read, ask, model, warned } = chatOn('mistral.chat', [done]);
  const url = 'data:text/plain;base64,SGVsbG8=';
  const { parts, ...message } = userMessage('user-1', 'Read this.');
  const file = { type: 'file' as const, mediaType: 'text/plain', filename: 'note.txt', url };
  await read(await ask({ message: { ...message, parts: [...parts, file] } }));
  expect(model.calls[0]?.prompt.at(-1)?.content).toMatchObject([
    { type: 'text', text: 'Read this.' },
    { type: 'text', text: '[The file note.txt (text/plain) is left out: this model does not take it.]' },
  ]);
  expect(warned).toMatchObject([{ leftOut: { file: 1 } }]);
});

clause('0055.6', async () => {
  const prepareStep: FlowSettings['prepareStep'] = ({ model, messages }) => ({
    model: named(model, 'mistral.chat'),
    messages: messages.slice(-2),
  });
  const { say, made, model } = chatOn('anthropic.messages', [[pay('toolu_1')], done], {
    prepareStep,
    toolApproval: { pay: 'approved' },
  });
  await say('Go.');
  expect(made()).toMatchObject([{ type: 'tool-call', toolCallId: expect.stringMatching(nine) }]);
  expect(model.calls[1]?.prompt).toHaveLength(2);

  const calls = [[{ call: 'look', id: 'look:0', input: {} }], [{ text: 'It is 42.' }]];
  const agent = subagentFixture([[research('r:0')], done], calls);
  Object.assign(agent.agentModel, { provider: 'mistral.chat' });
  await agent.say('Go.');
  expect(agent.agentModel.calls[1]?.prompt.at(-1)?.content).toMatchObject([
    { toolCallId: expect.stringMatching(nine) },
  ]);
  expect(agent.model.calls[1]?.prompt.at(-1)?.content).toMatchObject([{ toolCallId: 'r:0' }]);
});

clause('0055.7', async () => {
  const { say, answer, model } = chatOn('anthropic.messages', [
    [{ text: '\n\n' }, pay('a')],
    [{ text: ' ' }],
    done,
  ]);
  await answer(questionIn(await say('Go.')), true);
  await say('More.');
  const texts = model.calls
    .at(-1)
    ?.prompt.flatMap(({ content }) =>
      typeof content === 'string'
        ? content
        : content.flatMap((part) => (part.type === 'text' ? part.text : [])),
    );
  expect(texts).toEqual(['Go.', 'More.']);

  const cutOff: ScriptedPart[] = [{ text: 'So' }, { reasoning: 'Hm.' }, { finish: 'length' }];
  const other = chatOn('mistral.chat', [cutOff, done]);
  await other.say('Go.');
  await other.say('More.');
  expect(other.made()).toMatchObject([{ type: 'text', text: 'So' }]);
});

clause('0055.8', async () => {
  const picture = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } } as const;
  const look = tool({
    inputSchema: z.object({}),
    execute: () => 'two views',
    toModelOutput: () => ({
      type: 'content',
      value: [{ type: 'text', text: 'Front.' }, picture, { type: 'text', text: 'Back.' }],
    }),
  });
  const { say, results } = chatOn('google.generative-ai', [[{ call: 'look', id: 'a', input: {} }], done], {
    tools: { look } as ToolSet,
  });
  await say('Go.');
  expect(results()).toMatchObject([{ output: { value: [{ text: 'Front.\nBack.' }, { type: 'file' }] } }]);
});

clause('0055.9', async () => {
  const { say, model } = chatOn('mistral.chat', [[pay('a')], done]);
  await say('Go.');
  await say('Never mind.');
  expect(model.calls.at(-1)?.prompt.slice(-3)).toMatchObject([
    { role: 'tool' },
    { role: 'assistant', content: [{ text: '[No reply.]' }] },
    { role: 'user' },
  ]);
});

clause('0055.10', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('Nothing may be fetched.'));
  onTestFinished(() => fetched.mockRestore());
  const url = 'https://intranet.example/a.png';
  const file = { type: 'file' as const, mediaType: 'image/png', filename: 'a.png', url };
  const tools = {
    look: tool({
      inputSchema: z.object({}),
      execute: () => 'Seen.',
      toModelOutput: () => ({
        type: 'content',
        value: [
          { type: 'file-url', url, mediaType: 'image/png' },
          { type: 'file', data: { type: 'url', url: new URL(url) }, mediaType: 'text/plain' },
        ],
      }),
    }),
  };
  const prompted = async (settings: Partial<FlowSettings>) => {
    const { read, ask, model, warned } = chatOn(
      'unknown',
      [[{ call: 'look', id: 'call00001', input: {} }], done],
      { tools, toolApproval: { look: 'approved' }, ...settings },
    );
    const { parts, ...message } = userMessage('user-1', 'Look.');
    await read(await ask({ message: { ...message, parts: [...parts, file] } }));
    return { contents: model.calls[1]?.prompt.map(({ content }) => content), warned };
  };
  const text = (name: string) => `[${name} is left out: this model does not read web addresses.]`;
  const left = await prompted({});
  expect(left.contents?.[0]).toMatchObject([{ text: 'Look.' }, { text: text('The file a.png (image/png)') }]);
  const results = [{ text: text('A file (image/png)') }, { text: text('A file (text/plain)') }];
  expect(left.contents?.[2]).toMatchObject([{ output: { type: 'content', value: results } }]);
  expect(left.warned).toMatchObject([{ leftOut: { file: 1 } }, { leftOut: { 'file-url': 1, file: 1 } }]);

  const supportedUrls = Promise.resolve({ 'image/*': [/^https:/] });
  const read = await prompted({
    prepareCall: (given) => ({
      ...given,
      model: { ...(given.model as Exclude<LanguageModel, string>), supportedUrls },
    }),
  });
  expect(read.contents?.[0]).toMatchObject([{}, { type: 'file', data: { type: 'url', url: new URL(url) } }]);
  expect(fetched).not.toHaveBeenCalled();

  // Rejected: the SDK fetches what the model does not. The author who wants that says how.
  const asked: string[] = [];
  await prompted({
    experimental_download: async (files) => {
      asked.push(...files.map((each) => each.url.host));
      return files.map(() => ({ data: new Uint8Array([1]), mediaType: 'image/png' }));
    },
  });
  expect(asked).toContain('intranet.example');
});
