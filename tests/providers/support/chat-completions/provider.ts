import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { firstIssue } from '../first-issue.ts';
import type { Provider } from '../provider.ts';
import { idAt } from '../reply.ts';
import { chatBody } from './body.ts';
import { faultOfChat } from './rules.ts';
import { chatReply } from './wire.ts';

/** Chat Completions, as OpenAI serves it and many others copy it. */
export const chatCompletions: Provider = {
  name: 'Chat Completions',
  packageName: '@ai-sdk/openai-compatible',
  modelAt: (baseURL) =>
    createOpenAICompatible({ name: 'compatible', apiKey: 'test-key', baseURL })('gpt-4.1'),
  open: () => ({
    faultOf(body) {
      const parsed = chatBody.safeParse(body);
      return parsed.success ? faultOfChat(parsed.data) : firstIssue(parsed.error);
    },
    reply: (pieces, number) =>
      chatReply(pieces, (index) => idAt(`${number}-${index}`, { length: 24, prefix: 'call_' })),
    error: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  }),
};
