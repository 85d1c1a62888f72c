import { anthropic } from './anthropic/provider.ts';
import { chatCompletions } from './chat-completions/provider.ts';
import { gemini3, gemini25 } from './gemini/provider.ts';
import { mistral } from './mistral/provider.ts';
import type { Provider } from './provider.ts';
import { responsesEncrypted, responsesStored } from './responses/provider.ts';

/** All services that the scenes are played on. */
export const providers: readonly Provider[] = [
  anthropic,
  responsesStored,
  responsesEncrypted,
  gemini25,
  gemini3,
  mistral,
  chatCompletions,
];
