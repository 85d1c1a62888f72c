import { convertToModelMessages, type ModelMessage, streamText, tool, type UIMessage } from 'ai';
import { z } from 'zod';
import { paymentModel } from '../support/payment-model.ts';
import { wordsFor } from '../support/payment-script.ts';
import { offer } from '../support/worker-process.ts';

/** `streamText` alone, on a prompt that is there already as model messages. */
const model = paymentModel();
const tools = { pay: tool({ inputSchema: z.object({ recipient: z.string() }) }) };
const prompts = new Map<number, ModelMessage[]>();

offer({
  /** One step whose model calls a tool. @returns milliseconds */
  async step(history: UIMessage[]): Promise<number> {
    const prompt = prompts.get(history.length) ?? (await convertToModelMessages(history));
    prompts.set(history.length, prompt);
    const messages = [...prompt, { role: 'user' as const, content: wordsFor('chain', 'bare') }];
    const start = performance.now();
    for await (const _ of streamText({ model, messages, tools }).stream);
    return performance.now() - start;
  },
});
