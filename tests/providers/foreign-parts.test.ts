import { type ModelMessage, streamText } from 'ai';
import { expect, it, onTestFinished } from 'vitest';
import { fitPrompt } from '../../lib/run/prompt/fit-prompt.ts';
import { limitsOf } from '../../lib/run/prompt/provider-limits.ts';
import { type AssistantPart, type Owner, providerParts } from '../support/provider-parts.ts';
import type { Provider } from './support/provider.ts';
import { providers } from './support/providers.ts';
import { serveProvider } from './support/serve-provider.ts';

/** Media types of files that at least one service refuses. */
const mediaTypes = [
  'image/png',
  'image/svg+xml',
  'application/pdf',
  'application/zip',
  'audio/ogg',
  'text/plain',
];

function ownerOf({ name }: Provider): Owner {
  if (name.startsWith('Anthropic')) return 'anthropic';
  if (name.startsWith('Gemini')) return 'google';
  return name.includes('Responses') ? 'openai' : 'nobody';
}

/** A chat with what other providers make, a tool that their models have invented, and files of the person. */
function foreignChat(own: Owner): ModelMessage[] {
  const files = mediaTypes.map((mediaType) => ({ type: 'file' as const, mediaType, data: 'AAAA' }));
  const call = { toolCallId: 'functions.bank.pay:0', toolName: 'bank.pay' };
  const parts: [Owner, AssistantPart][] = Object.values(providerParts).map(([owner, part]) => [owner, part]);
  const foreign = parts.flatMap(([owner, part]) => (owner === own ? [] : [part]));
  return [
    { role: 'user', content: [{ type: 'text', text: 'Look.' }, ...files] },
    {
      role: 'assistant',
      content: [...foreign, { type: 'text', text: 'Seen.' }, { type: 'tool-call', ...call, input: {} }],
    },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: 'Paid.' } }] },
  ];
}

it.each(providers.map((provider) => [provider.name, provider] as const))(
  '%s takes what only other providers take if the prompt is fitted, and nothing of it otherwise',
  async (_name, provider) => {
    const service = await serveProvider(provider, [[{ text: 'Done.' }]]);
    onTestFinished(() => service.close());
    const model = provider.modelAt(service.url);
    const reply = (messages: ModelMessage[]) => {
      const { providerOptions = {} } = provider.settings ?? {};
      return streamText({ model, messages, providerOptions, maxRetries: 0, onError: () => {} }).text;
    };
    const chat = foreignChat(ownerOf(provider));
    await expect(reply(chat)).rejects.toThrow();
    const fitted = fitPrompt(chat, { limits: limitsOf(model), isOffered: () => false }, () => {});
    expect(await reply(fitted)).toBe('Done.');
  },
);
