import type { ModelMessage } from 'ai';

type Content = Extract<ModelMessage, { role: 'assistant' }>['content'];

/** A part of a model's message. */
export type AssistantPart = Exclude<Content, string>[number];

/** Whose a part is. */
export type Owner = 'anthropic' | 'openai' | 'google' | 'nobody';

const of = (vendor: Owner, data: string) => ({ providerOptions: { [vendor]: { data } } });
const search = { type: 'tool-call', toolName: 'web_search', input: {}, providerExecuted: true } as const;

/** Parts that the packages of the SDK make, with the provider that takes them back. */
export const providerParts = {
  'Anthropic reasoning': ['anthropic', { type: 'reasoning', text: 'Hm.', ...of('anthropic', 'signature') }],
  'Anthropic part': ['anthropic', { type: 'custom', kind: 'anthropic.fallback' }],
  'Anthropic search': ['anthropic', { ...search, toolCallId: 'srvtoolu_1' }],
  'OpenAI reasoning': ['openai', { type: 'reasoning', text: 'Hm.', ...of('openai', 'item') }],
  'OpenAI part': ['openai', { type: 'custom', kind: 'openai.compaction' }],
  'OpenAI search': ['openai', { ...search, toolCallId: 'ws_1' }],
  'OpenAI MCP call': ['openai', { ...search, toolCallId: 'mcp.1', ...of('openai', 'item') }],
  'OpenAI question': ['openai', { ...search, toolCallId: 'aB3', toolName: 'mcp.find' }],
  'Google reasoning': ['google', { type: 'reasoning', text: 'Hm.', ...of('google', 'signature') }],
  'Google code': ['google', { ...search, toolCallId: 'a1B2', toolName: 'code_execution' }],
  picture: ['google', { type: 'file', mediaType: 'image/png', data: 'AAAA' }],
  'unsigned reasoning': ['nobody', { type: 'reasoning', text: 'Hm.' }],
} as const satisfies Record<string, readonly [Owner, AssistantPart]>;
