import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { nextReply, type ScriptedReply } from './payment-script.ts';

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

/**
 * The bench's model as `ai` sees it. It remembers nothing: what a model kept would be counted as memory of whoever
 * asked it.
 */
export function paymentModel(): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'countersign.bench',
    modelId: 'payments',
    supportedUrls: {},
    async doStream({ prompt }) {
      const { words, results } = readPrompt(prompt);
      return { stream: streamOf(partsOf(nextReply(words, results))) };
    },
    async doGenerate() {
      throw new Error('Everybody streams here.');
    },
  };
}

/** One part a pull, as they come from a provider. */
function streamOf(parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      const part = parts[next];
      next += 1;
      if (part) controller.enqueue(part);
      else controller.close();
    },
  });
}

function partsOf({ text, calls }: ScriptedReply): LanguageModelV4StreamPart[] {
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: 'text' },
    ...[text].flat().map((delta) => ({ type: 'text-delta' as const, id: 'text', delta })),
    { type: 'text-end', id: 'text' },
    ...calls.flatMap(({ id, recipient }): LanguageModelV4StreamPart[] => {
      const input = JSON.stringify({ recipient });
      return [
        { type: 'tool-input-start', id, toolName: 'pay' },
        { type: 'tool-input-delta', id, delta: input },
        { type: 'tool-input-end', id },
        { type: 'tool-call', toolCallId: id, toolName: 'pay', input },
      ];
    }),
    {
      type: 'finish',
      finishReason: { unified: calls.length > 0 ? 'tool-calls' : 'stop', raw: undefined },
      usage,
    },
  ];
}

/** The last words of the person, and how many results came since. Looks at the end only, however long the prompt. */
function readPrompt(prompt: LanguageModelV4CallOptions['prompt']): { words: string; results: number } {
  let results = 0;
  for (const message of prompt.toReversed()) {
    if (message.role === 'tool')
      results += message.content.filter((part) => part.type === 'tool-result').length;
    const [first] = message.role === 'user' ? message.content : [];
    if (first?.type === 'text') return { words: first.text, results };
  }
  return { words: '', results };
}
