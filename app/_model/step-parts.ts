import type {
  LanguageModelV4FinishReason,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import type { ScriptStep } from './scene.ts';

/** A step in the form that a provider would send. */
export type ProviderStep = {
  readonly text: string;
  readonly calls: readonly LanguageModelV4ToolCall[];
  readonly finishReason: LanguageModelV4FinishReason;
  readonly usage: LanguageModelV4Usage;
};

const charactersPerToken = 4;

function tokensOf(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

/** Counts text only. Measuring files and large results is not worth the time for a demo's estimate. */
function charactersIn(prompt: LanguageModelV4Prompt): number {
  let characters = 0;
  for (const message of prompt) {
    if (message.role === 'system') characters += message.content.length;
    else for (const part of message.content) if (part.type === 'text') characters += part.text.length;
  }
  return characters;
}

/** Adds call ids, a finish reason and a token estimate to a scripted step. */
export function providerStep(
  { text = '', calls = [] }: ScriptStep,
  prompt: LanguageModelV4Prompt,
  createCallId: () => string,
): ProviderStep {
  const asked = calls.map(
    ({ toolName, input }): LanguageModelV4ToolCall => ({
      type: 'tool-call',
      toolCallId: createCallId(),
      toolName,
      input: JSON.stringify(input),
    }),
  );
  const inputTokens = tokensOf(charactersIn(prompt));
  const outputTokens = tokensOf(asked.reduce((sum, { input }) => sum + input.length, text.length));
  const unified = asked.length > 0 ? 'tool-calls' : 'stop';
  return {
    text,
    calls: asked,
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: outputTokens, text: outputTokens, reasoning: 0 },
    },
  };
}

/** The stream parts of a step: the text word by word, then each call with its arguments. */
export function* partsOf({
  text,
  calls,
  finishReason,
  usage,
}: ProviderStep): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  if (text !== '') {
    yield { type: 'text-start', id: 'text-1' };
    for (const delta of text.match(/\S+\s*/g) ?? []) yield { type: 'text-delta', id: 'text-1', delta };
    yield { type: 'text-end', id: 'text-1' };
  }
  for (const call of calls) {
    yield { type: 'tool-input-start', id: call.toolCallId, toolName: call.toolName };
    yield { type: 'tool-input-delta', id: call.toolCallId, delta: call.input };
    yield { type: 'tool-input-end', id: call.toolCallId };
    yield call;
  }
  yield { type: 'finish', finishReason, usage };
}
