import type { LanguageModel, ModelMessage, ToolResultPart } from 'ai';
import { scriptedModel } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { fitPrompt } from '../../lib/run/prompt/fit-prompt.ts';
import { limitsOf } from '../../lib/run/prompt/provider-limits.ts';

const modelOf = (provider: string): LanguageModel =>
  provider.includes('/') ? provider : { ...scriptedModel([]), provider };

/** The prompt for a model of this provider, or with this id, and what is left out of it. */
function fitted(provider: string, messages: ModelMessage[], offered: readonly string[] = ['pay']) {
  const leftOut: string[] = [];
  const limits = limitsOf(modelOf(provider));
  const target = { limits, isOffered: (name: string) => offered.includes(name) };
  return { leftOut, messages: fitPrompt(messages, target, ({ type }) => leftOut.push(type)) };
}

type AssistantContent = Extract<ModelMessage, { role: 'assistant' }>['content'];
type AssistantPart = Exclude<AssistantContent, string>[number];

const of = (vendor: string, data: string) => ({ providerOptions: { [vendor]: { data } } });
const search = { type: 'tool-call', toolName: 'web_search', input: {}, providerExecuted: true } as const;
const parts = {
  'Anthropic reasoning': { type: 'reasoning', text: 'Hm.', ...of('anthropic', 'signature') },
  'OpenAI reasoning': { type: 'reasoning', text: 'Hm.', ...of('openai', 'item') },
  'Google reasoning': { type: 'reasoning', text: 'Hm.', ...of('google', 'signature') },
  'unsigned reasoning': { type: 'reasoning', text: 'Hm.' },
  'Anthropic part': { type: 'custom', kind: 'anthropic.fallback' },
  'OpenAI part': { type: 'custom', kind: 'openai.compaction' },
  'Anthropic search': { ...search, toolCallId: 'srvtoolu_1' },
  'OpenAI search': { ...search, toolCallId: 'ws_1' },
  'OpenAI MCP call': { ...search, toolCallId: 'mcp.1', ...of('openai', 'item') },
  'OpenAI question': { ...search, toolCallId: 'aB3', toolName: 'mcp.find' },
  'Google code': { ...search, toolCallId: 'a1B2', toolName: 'code_execution' },
  'other reasoning': { type: 'reasoning', text: 'Hm.', ...of('other', 'data') },
  'other part': { type: 'custom', kind: 'other.kind' },
  'other search': { ...search, toolCallId: 'o1', ...of('other', 'data') },
  picture: { type: 'file', mediaType: 'image/png', data: 'AAAA' },
} as const satisfies Record<string, AssistantPart>;
type Part = keyof typeof parts;

const ofAnthropic: Part[] = ['Anthropic reasoning', 'Anthropic part', 'Anthropic search'];
const ofOpenAI: Part[] = [
  'OpenAI reasoning',
  'OpenAI part',
  'OpenAI search',
  'OpenAI MCP call',
  'OpenAI question',
];
const ofGoogle: Part[] = ['Google reasoning', 'Google code', 'picture'];

describe('of the parts of a model’s message, a provider gets what it takes', () => {
  it.each<[provider: string, taken: readonly string[]]>([
    ['anthropic.messages', ofAnthropic],
    ['googleVertex.anthropic.messages', ofAnthropic],
    ['anthropic/claude-sonnet-4.5', ofAnthropic],
    ['openai.responses', ofOpenAI],
    ['azure.responses', ofOpenAI],
    ['openai/gpt-5', ofOpenAI],
    ['google.generative-ai', ofGoogle],
    ['google.vertex.chat', ofGoogle],
    ['openai.chat', ['unsigned reasoning', 'other reasoning']],
    ['compatible.chat', ['unsigned reasoning', 'other reasoning']],
    ['other.chat', ['unsigned reasoning', 'other reasoning', 'other part', 'other search']],
    ['mistral.chat', ['unsigned reasoning', 'other reasoning']],
    ['other.responses', Object.keys(parts)],
    ['a.provider.of.our.own', Object.keys(parts)],
  ])('%s', (provider, taken) => {
    const content: AssistantPart[] = [...Object.values(parts), { type: 'text', text: 'So.' }];
    const [message] = fitted(provider, [{ role: 'assistant', content }]).messages;
    const kept: readonly unknown[] = Array.isArray(message?.content) ? message.content : [];
    const names = Object.entries(parts).flatMap(([name, part]) => (kept.includes(part) ? [name] : []));
    expect(names).toEqual(taken);
  });

  it('with a call, its question, result and answer are left out, and no empty message stays', () => {
    const text: AssistantPart = { type: 'text', text: 'Found.' };
    const call = { ...parts['OpenAI MCP call'], toolName: 'mcp.find' };
    const { toolCallId, toolName } = call;
    const asked = { type: 'tool-approval-request', approvalId: 'a', toolCallId } as const;
    const answer = {
      type: 'tool-approval-response',
      approvalId: 'a',
      approved: true,
      providerExecuted: true,
    } as const;
    const result = {
      type: 'tool-result',
      toolCallId,
      toolName,
      output: { type: 'text', value: '1' },
    } as const;
    const user: ModelMessage = { role: 'user', content: 'Go.' };
    const messages: ModelMessage[] = [
      user,
      { role: 'assistant', content: [call, asked] },
      { role: 'tool', content: [answer] },
      { role: 'assistant', content: [result, text] },
    ];
    expect(fitted('openai.responses', messages).messages).toBe(messages);
    const { leftOut, messages: others } = fitted('mistral.chat', messages);
    expect(others).toEqual([user, { role: 'assistant', content: [text] }]);
    expect(leftOut).toEqual(['tool-call', 'tool-approval-request', 'tool-approval-response', 'tool-result']);
  });
});

/** A call and its result. */
const calling = (toolCallId: string, toolName = 'pay'): ModelMessage[] => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input: {} }] },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: '1' } }],
  },
];

const namesIn = (messages: readonly ModelMessage[]) =>
  messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.map((part) => part as { toolCallId: string; toolName: string }),
  );

describe('the id of a call', () => {
  const kimi = 'functions.pay:0';
  it.each<[provider: string, id: string, isKept: boolean]>([
    ['mistral.chat', 'D681PevKs', true],
    ['mistral.chat', 'toolu_01A', false],
    ['mistral.chat', 'D681PevK_', false],
    ['anthropic.messages', 'call_1-a', true],
    ['anthropic.messages', kimi, false],
    ['openai.responses', 'a'.repeat(64), true],
    ['openai.responses', 'a'.repeat(65), false],
    ['openai.chat', 'a'.repeat(40), true],
    ['openai.chat', 'a'.repeat(41), false],
    ['google.generative-ai', kimi, true],
    ['compatible.chat', kimi, true],
    ['a.provider.of.our.own', kimi, true],
  ])('for %s, %s is kept: %s', (provider, id, isKept) => {
    const messages = calling(id);
    const names = namesIn(fitted(provider, messages).messages);
    const [made] = names.map(({ toolCallId }) => toolCallId);
    expect(made).toMatch(isKept ? id : /^[A-Za-z0-9]{9}$/);
    expect(names.map(({ toolCallId }) => toolCallId)).toEqual([made, made]);
    expect(namesIn(fitted(provider, messages).messages)).toEqual(names);
  });

  it('is no id that another call of the prompt has', () => {
    const [first] = namesIn(fitted('mistral.chat', calling(kimi)).messages);
    const both = [...calling(kimi), ...calling(String(first?.toolCallId))];
    const ids = namesIn(fitted('mistral.chat', both).messages).map(({ toolCallId }) => toolCallId);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('the name of a tool', () => {
  it.each<[name: string, shown: string]>([
    ['math.add', 'math_add'],
    ['', '_'],
    ['1st', '_1st'],
    ['zahl_ü', 'zahl__'],
    ['a'.repeat(65), 'a'.repeat(64)],
    ['weather', 'weather'],
    ['own.tool', 'own.tool'],
  ])('%j is given as %j, unless the model gets that tool', (name, shown) => {
    for (const provider of ['openai.responses', 'anthropic.messages', 'a.provider.of.our.own']) {
      const names = namesIn(fitted(provider, calling('a', name), ['own.tool']).messages);
      expect(names.map(({ toolName }) => toolName)).toEqual([shown, shown]);
    }
  });
});

describe('a file of a person', () => {
  it.each<[provider: string, mediaType: string, isTaken: boolean]>([
    ['anthropic.messages', 'image/png', true],
    ['anthropic.messages', 'image/*', true],
    ['anthropic.messages', 'application/pdf', true],
    ['anthropic.messages', 'text/plain', true],
    ['anthropic.messages', 'image/svg+xml', false],
    ['anthropic.messages', 'audio/wav', false],
    ['openai.responses', 'application/pdf', true],
    ['openai.responses', 'text/plain', false],
    ['openai.chat', 'audio/wav', true],
    ['openai.chat', 'application/zip', false],
    ['mistral.chat', 'image/webp', true],
    ['mistral.chat', 'text/plain', false],
    ['google.generative-ai', 'audio/ogg', true],
    ['a.provider.of.our.own', 'audio/ogg', true],
  ])('for %s, %s is taken: %s', (provider, mediaType, isTaken) => {
    const file = { type: 'file', mediaType, filename: 'notes', data: 'AAAA' } as const;
    const { messages, leftOut } = fitted(provider, [{ role: 'user', content: [file] }]);
    const text = `[The file notes (${mediaType}) is left out: this model does not take it.]`;
    expect(messages).toEqual([{ role: 'user', content: [isTaken ? file : { type: 'text', text }] }]);
    expect(leftOut).toEqual(isTaken ? [] : ['file']);
  });
});

describe('texts and order of messages', () => {
  const text = (words: string) => ({ type: 'text' as const, text: words });
  const ofOpenAIReasoning = parts['OpenAI reasoning'];
  const thought = { type: 'reasoning' as const, text: 'Hm.', ...of('anthropic', 'signature') };
  const person = (...words: string[]): ModelMessage => ({ role: 'user', content: words.map(text) });
  const model = (...content: AssistantPart[]): ModelMessage => ({ role: 'assistant', content });
  const result = (output: ToolResultPart['output']): ModelMessage => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'abcdefgh1', toolName: 'pay', output }],
  });
  const called = { type: 'tool-call', toolCallId: 'abcdefgh1', toolName: 'pay', input: {} } as const;
  const call = model(called);
  const contents = (...value: Extract<ToolResultPart['output'], { type: 'content' }>['value']) =>
    result({ type: 'content', value });
  const picture = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } } as const;
  const failed = (value: string) => result({ type: 'error-text', value });
  const ok = result({ type: 'text', value: ' ' });
  const done = text('Tool executed successfully.');

  it.each<[provider: string, what: string, given: ModelMessage[], taken: ModelMessage[]]>([
    [
      'anthropic.messages',
      'a blank answer',
      [person('Hi'), model(text(' ')), person('So?')],
      [person('Hi'), person('So?')],
    ],
    [
      'openai.responses',
      'messages without content',
      [person('Hi'), model(), person(''), model(text('')), person('So?')],
      [person('Hi'), person('So?')],
    ],
    [
      'openai.responses',
      'reasoning that nothing follows, which was cut off',
      [model(text('Hi'), ofOpenAIReasoning), person('So?')],
      [model(text('Hi')), person('So?')],
    ],
    [
      'google.generative-ai',
      'nothing of an empty text with a signature',
      [model({ ...text(''), ...of('google', 'signature') })],
      [model({ ...text(''), ...of('google', 'signature') })],
    ],
    [
      'anthropic.messages',
      'a blank message as a string',
      [{ role: 'assistant', content: '\n' }, person('So?')],
      [person('So?')],
    ],
    ['anthropic.messages', 'white space that only Python knows', [person('Hi', '\x1f\x85')], [person('Hi')]],
    [
      'anthropic.messages',
      'a blank text with the reasoning before it',
      [model(thought, text('Hi'), thought, text('\n'))],
      [model(thought, text('Hi'))],
    ],
    [
      'anthropic.messages',
      'reasoning before a call',
      [model(thought, text('\n\n'), called)],
      [model(thought, called)],
    ],
    [
      'anthropic.messages',
      'blank texts of a result',
      [call, contents(text(' '), picture)],
      [call, contents(picture)],
    ],
    ['anthropic.messages', 'an error without a text', [call, failed('')], [call, failed('The tool failed.')]],
    ['anthropic.messages', 'nothing of a blank result that is one text', [call, ok], [call, ok]],
    [
      'google.generative-ai',
      'the texts of a result',
      [call, contents(text('A'), picture, text('B'))],
      [call, contents(text('A\nB'), picture)],
    ],
    [
      'google.generative-ai',
      'a result without a text',
      [call, contents(picture)],
      [call, contents(done, picture)],
    ],
    ['google.generative-ai', 'a result without parts', [call, contents()], [call, contents(done)]],
    [
      'mistral.chat',
      'a message right after a result',
      [call, ok, person('So?')],
      [call, ok, { role: 'assistant', content: '[No reply.]' }, person('So?')],
    ],
    [
      'mistral.chat',
      'nothing of a result with a reply',
      [call, ok, model(text('Hi')), person('So?')],
      [call, ok, model(text('Hi')), person('So?')],
    ],
    [
      'a.provider.of.our.own',
      'nothing',
      [model(text(' ')), call, contents(text(' ')), person('So?')],
      [model(text(' ')), call, contents(text(' ')), person('So?')],
    ],
  ])('for %s, it changes %s', (provider, _what, given, taken) => {
    expect(fitted(provider, given).messages).toEqual(taken);
  });

  it('stay the same messages if nothing changes', () => {
    const messages = [person('Hi'), call, contents(text('A'), picture), model(thought, text('Hi'))];
    for (const provider of ['anthropic.messages', 'google.generative-ai']) {
      const kept = fitted(provider, messages.slice(0, 3)).messages;
      expect(kept.map((message, index) => message === messages[index])).toEqual([true, true, true]);
    }
  });
});

describe('a file of a result that a provider stores', () => {
  it.each<[provider: string, storedAt: string, isTaken: boolean]>([
    ['openai.responses', 'openai', true],
    ['openai.responses', 'anthropic', false],
    ['anthropic.messages', 'anthropic', true],
    ['google.generative-ai', 'openai', false],
    ['mistral.chat', 'openai', false],
    ['a.provider.of.our.own', 'openai', true],
  ])('for %s, one at %s is taken: %s', (provider, storedAt, isTaken) => {
    const data = { type: 'reference' as const, reference: { [storedAt]: 'file-1' } };
    const file = { type: 'file' as const, mediaType: 'image/png', data };
    const output = { type: 'content' as const, value: [{ type: 'text' as const, text: 'Map.' }, file] };
    const result = { type: 'tool-result' as const, toolCallId: 'aaaaaaaaa', toolName: 'pay', output };
    const { messages, leftOut } = fitted(provider, [{ role: 'tool', content: [result] }]);
    const text = '[A file (image/png) is left out: another provider stores it.]';
    const shown = JSON.stringify(messages);
    expect([shown.includes('file-1'), shown.includes(text)]).toEqual([isTaken, !isTaken]);
    expect(leftOut).toEqual(isTaken ? [] : ['file']);
  });
});
