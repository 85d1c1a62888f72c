import { createMistral } from '@ai-sdk/mistral';
import { chatReply } from '../chat-completions/wire.ts';
import { firstIssue } from '../first-issue.ts';
import type { Provider } from '../provider.ts';
import { idAt } from '../reply.ts';
import { mistralBody } from './body.ts';
import { faultOfMistral } from './rules.ts';

/** Mistral, whose ids have nine letters and digits. */
export const mistral: Provider = {
  name: 'Mistral',
  packageName: '@ai-sdk/mistral',
  modelAt: (baseURL) => createMistral({ apiKey: 'test-key', baseURL })('mistral-large-latest'),
  open: () => ({
    faultOf(body) {
      const parsed = mistralBody.safeParse(body);
      return parsed.success ? faultOfMistral(parsed.data) : firstIssue(parsed.error);
    },
    reply: (pieces, number) => chatReply(pieces, (index) => idAt(`${number}-${index}`, { length: 9 })),
    error: (message) => ({
      object: 'error',
      message,
      type: 'invalid_request_error',
      param: null,
      code: null,
    }),
  }),
};
