import type { LanguageModel, ModelMessage } from 'ai';
import { parseChatId } from 'countersign';
import { scriptedModel } from 'countersign/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPromptFits } from '../../lib/run/prompt/prompt-fits.ts';

const logger = { warn: () => {}, error: () => {} };
const chatId = parseChatId('chat');

/** A model that fetches only addresses of this host itself. */
function modelOf(provider: string, host = 'nowhere'): LanguageModel {
  return {
    ...scriptedModel([]),
    provider,
    supportedUrls: { '*/*': [new RegExp(`^https://${host}/`)] },
  };
}

const created = () => createPromptFits(logger);

it('looks only at the newest messages of a chat whose earlier ones are sent as they are', async () => {
  let reads = 0;
  const said = (words: string): ModelMessage => {
    const content = [text(words)];
    return {
      role: 'user',
      get content() {
        reads += 1;
        return content;
      },
    };
  };
  for (const provider of ['anthropic.messages', 'mistral.chat', 'a.provider.of.our.own']) {
    const prompts = created();
    const place = { chatId, settings: { tools: {} } };
    const messages = Array.from({ length: 1_000 }, (_, index) => said(`${index}`));
    const prompt = [...messages];
    expect(await prompts.fit(modelOf(provider), prompt, place)).toBe(prompt);
    reads = 0;
    messages.push(said('One more.'));
    await prompts.fit(modelOf(provider), [...messages], place);
    expect(reads).toBeLessThan(50);
  }
});

type Content = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>;

const text = (words: string) => ({ type: 'text' as const, text: words });
const called = (toolCallId: string, toolName = 'pay', providerExecuted?: true): ModelMessage => ({
  role: 'assistant',
  content: [
    { type: 'tool-call', toolCallId, toolName, input: {}, ...(providerExecuted && { providerExecuted }) },
    ...(providerExecuted
      ? [{ type: 'tool-approval-request' as const, approvalId: toolCallId, toolCallId }]
      : []),
  ],
});
const result = (toolCallId: string, ...value: ReturnType<typeof text>[]): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId, toolName: 'pay', output: { type: 'content', value } }],
});
const approved = (approvalId: string): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool-approval-response', approvalId, approved: true, providerExecuted: true }],
});
const model = (...content: Content): ModelMessage => ({ role: 'assistant', content });
const picture = (data: string): ModelMessage => ({
  role: 'user',
  content: [{ type: 'file', mediaType: 'image/png', data }],
});

/** Messages of which each is changed, left out or kept for some providers only, or for the sake of others. */
const makers: readonly (() => ModelMessage)[] = [
  () => ({ role: 'user', content: [text('Hi')] }),
  () => ({ role: 'user', content: 'Hi' }),
  () => model(text('Hm.')),
  () => model(text(' ')),
  () => model({ type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 's' } } }),
  () => called('aB3'),
  () => called('abcdefgh1'),
  () => called('functions.pay:0', 'own.tool'),
  () => called('ws_1', 'web_search', true),
  () => called('srvtoolu_1', 'web_search', true),
  () => approved('ws_1'),
  () => result('abcdefgh1', text('1')),
  () => result('abcdefgh1', text('1'), text('2')),
  () => result('functions.pay:0', text(' ')),
  () => picture('AAAA'),
  () => picture('https://known.example/map.png'),
];
const placeOf = (...names: readonly string[]) => ({
  chatId,
  settings: { tools: Object.fromEntries(names.map((name) => [name, {} as never])) },
});

it.each<[what: string, provider: string, earlier: readonly ModelMessage[], added: ModelMessage]>([
  [
    'what a person says after a result',
    'mistral.chat',
    [called('abcdefgh1'), result('abcdefgh1', text('1'))],
    picture(''),
  ],
  [
    'an approval of an earlier call',
    'openai.responses',
    [called('ws_1', 'web_search', true)],
    approved('ws_1'),
  ],
])('sends %s as if no message was remembered', async (_what, provider, earlier, added) => {
  const prompts = created();
  await prompts.fit(modelOf(provider), [...earlier], placeOf('pay'));
  const both = [...earlier, added];
  const taken = await prompts.fit(modelOf(provider), [...both], placeOf('pay'));
  expect(taken).toEqual(await created().fit(modelOf(provider), both, placeOf('pay')));
});

it('gives a new call no id that an earlier one has', async () => {
  const idsFor = async (prompts: ReturnType<typeof created>, ...messages: ModelMessage[]) =>
    (await prompts.fit(modelOf('mistral.chat'), messages, placeOf('pay'))).flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.map((part) => part as { toolCallId: string }),
    );
  const [made] = await idsFor(created(), called('functions.pay:0'));
  const prompts = created();
  const earlier = called(String(made?.toolCallId));
  const reply = model(text('Hm.'));
  await idsFor(prompts, earlier, reply);
  const [, , other] = await idsFor(prompts, earlier, reply, called('functions.pay:0'));
  expect(other?.toolCallId).toMatch(/^[A-Za-z0-9]{9}$/);
  expect(other?.toolCallId).not.toBe(made?.toolCallId);
});

it.each<[by: string, host: string, settings: { experimental_download?: never }]>([
  ['an author’s function', 'nowhere', { experimental_download: (() => []) as never }],
  ['another model', 'known.example', {}],
])('sends no address that was fetched by %s', async (_by, host, settings) => {
  const prompts = created();
  const messages = [picture('https://known.example/map.png'), model(text('Hm.'))];
  const first = { chatId, settings: { tools: {}, ...settings } };
  expect(await prompts.fit(modelOf('our.own', host), messages, first)).toEqual(messages);
  expect(JSON.stringify(await prompts.fit(modelOf('our.own'), messages, placeOf()))).not.toContain('https:');
});

it('looks at all messages if `prepareStep` may have changed them', async () => {
  const prompts = created();
  const content = [text('Hi')];
  const messages: ModelMessage[] = [{ role: 'user', content }, model(text('Hm.'))];
  const settings = { tools: {}, prepareStep: async () => undefined };
  await prompts.fit(modelOf('anthropic.messages'), messages, { chatId, settings });
  content[0] = text(' ');
  expect(await prompts.fit(modelOf('anthropic.messages'), messages, { chatId, settings })).toEqual([
    model(text('Hm.')),
  ]);
});

it('sends what it would send if it saw each prompt for the first time', async () => {
  const stepArbitrary = fc.record({
    added: fc.array(fc.nat(makers.length - 1), { maxLength: 4 }),
    cut: fc.option(fc.nat(12), { freq: 8 }),
    replaced: fc.option(fc.tuple(fc.nat(12), fc.nat(makers.length - 1)), { freq: 8 }),
    provider: fc.constantFrom(
      ...['anthropic.messages', 'openai.responses', 'google.generative-ai', 'mistral.chat', 'our.own'],
    ),
    isSame: fc.boolean(),
    host: fc.constantFrom('known.example', 'nowhere'),
    names: fc.constantFrom(['pay'], ['pay', 'own.tool']),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { minLength: 2, maxLength: 12 }), async (steps) => {
      const prompts = created();
      const messages: ModelMessage[] = [];
      let provider = 'our.own';
      for (const { added, cut, replaced, isSame, ...step } of steps) {
        if (cut !== null) messages.length = Math.min(messages.length, cut);
        messages.push(...added.map((index) => makers[index]?.() ?? picture('')));
        const [index = 0, maker = 0] = replaced ?? [];
        if (replaced && index < messages.length) messages[index] = makers[maker]?.() ?? picture('');
        if (!isSame) provider = step.provider;
        const given = [...messages];
        const of = modelOf(provider, step.host);
        const taken = await prompts.fit(of, given, placeOf(...step.names));
        expect(taken).toEqual(await created().fit(of, [...messages], placeOf(...step.names)));
        expect(given).toEqual(messages);
      }
    }),
    { numRuns: 300 },
  );
});
