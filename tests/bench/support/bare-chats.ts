import { convertToModelMessages, experimental_streamTextLowMemory, type ModelMessage, tool } from 'ai';
import { z } from 'zod';
import { historyMessages } from './history.ts';
import { paymentModel } from './payment-model.ts';
import { nextReply, wordsFor } from './payment-script.ts';

/** A chat in memory: what came before, and how many results came since the person's last words. */
type Chat = { readonly history: readonly ModelMessage[]; results: number };

const model = paymentModel();
const tools = { pay: tool({ inputSchema: z.object({ recipient: z.string() }) }) };

/** Chats of which nothing is checked, kept or run: what is left of a response is its model step. */
export function createBareChats() {
  const histories = new Map<number, readonly ModelMessage[]>();
  const chats = new Map<string, Chat>();
  return {
    /** Begins a chat of so many messages. Each is its own in memory, as in a server that has it from somewhere. */
    async seed(id: string, messages: number): Promise<void> {
      const history = histories.get(messages) ?? (await convertToModelMessages(historyMessages(messages)));
      histories.set(messages, history);
      chats.set(id, { history: structuredClone(history), results: 0 });
    },

    /** The next step: after words of the person, or after one more result. */
    step(id: string, after: 'words' | 'result') {
      const chat = chats.get(id) ?? { history: [], results: 0 };
      chats.set(id, chat);
      chat.results = after === 'words' ? 0 : chat.results + 1;
      return experimental_streamTextLowMemory({
        model,
        tools,
        messages: [...chat.history, ...turnOf(id, chat.results)],
        toolApproval: { pay: 'user-approval' },
      }).stream;
    },

    forget: (id: string) => chats.delete(id),
  };
}

/** The person's words, and each call so far with its result. */
function turnOf(id: string, results: number): ModelMessage[] {
  const words = wordsFor('chain', id);
  const told = Array.from({ length: results }, (_, before) => nextReply(words, before)).flatMap(
    ({ text, calls }): ModelMessage[] => [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: String(text) },
          ...calls.map(({ id: toolCallId, recipient }) => ({
            type: 'tool-call' as const,
            toolCallId,
            toolName: 'pay',
            input: { recipient },
          })),
        ],
      },
      {
        role: 'tool',
        content: calls.map(({ id: toolCallId }) => ({
          type: 'tool-result',
          toolCallId,
          toolName: 'pay',
          output: { type: 'json', value: { status: 'paid' } },
        })),
      },
    ],
  );
  return [{ role: 'user', content: words }, ...told];
}
