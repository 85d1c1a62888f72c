import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { scriptedModel } from 'countersign/testing';
import { nextReply } from './payment-script.ts';

/** The bench's model as `ai` sees it. */
export function paymentModel() {
  return scriptedModel((options) => {
    const { words, results } = readPrompt(options.prompt);
    const { text, calls } = nextReply(words, results);
    return [{ text }, ...calls.map(({ id, recipient }) => ({ call: 'pay', id, input: { recipient } }))];
  });
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
