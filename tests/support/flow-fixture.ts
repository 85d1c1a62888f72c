import { type ToolSet, tool, type UIMessageChunk } from 'ai';
import { createApprovalFlow, type FlowSettings } from 'countersign';
import type { FlowPlugin } from 'countersign/plugin';
import { sqliteStore } from 'countersign/store';
import { collect, type Script, scriptedModel } from 'countersign/testing';
import { type FlowStream, uiMessageChunks } from 'countersign/views';
import { z } from 'zod';
import {
  type AnswerRequest,
  type ChatId,
  type MessageId,
  type OutputRequest,
  type Principal,
  parseApprovalId,
  parseChatId,
  parseMessageId,
  parseToolCallId,
} from '../../lib/protocol/index.ts';

export const ada: Principal = { id: 'ada', name: 'Ada' };

/** Tools with countable effects: `pay` and `search` are gated, `weather` is not, and the client executes `locate`. */
export function countingTools() {
  const ran: { tool: string; input: unknown; toolCallId: string }[] = [];
  const count = (name: string) => (input: unknown, options: { toolCallId: string }) => {
    ran.push({ tool: name, input, toolCallId: options.toolCallId });
  };
  const tools = {
    pay: tool({
      inputSchema: z.object({ to: z.string(), amount: z.number() }),
      needsApproval: true,
      execute: async (input, options) => {
        count('pay')(input, options);
        return { paid: input.amount, to: input.to };
      },
    }),
    search: tool({
      inputSchema: z.object({ query: z.string() }),
      needsApproval: true,
      execute: async (input, options) => {
        count('search')(input, options);
        return [`row for ${input.query}`];
      },
    }),
    weather: tool({
      inputSchema: z.object({ city: z.string() }),
      execute: async (input, options) => {
        count('weather')(input, options);
        return `Sunny in ${input.city}`;
      },
    }),
    locate: tool({
      inputSchema: z.object({}),
      outputSchema: z.object({ lat: z.number() }),
      needsApproval: true,
    }),
    theme: tool({ inputSchema: z.object({}), outputSchema: z.string() }),
  } satisfies ToolSet;
  return { tools, ran };
}

/** Settings that a test changes, and the plugins that it adds. */
export type FixtureSettings = Partial<FlowSettings> & { readonly plugins?: readonly FlowPlugin[] };

/** A flow on an embedded store, with a scripted model, counting tools and Ada's chat. `chat` makes further chats. */
export function flowFixture<const Plugins extends readonly FlowPlugin[] = []>(
  script: Script,
  settings: Partial<FlowSettings> & { readonly plugins?: Plugins } = {},
) {
  const { tools, ran } = countingTools();
  const model = scriptedModel(script);
  const store = settings.store ?? sqliteStore({ path: ':memory:' });
  const flow = createApprovalFlow({
    tools: tools as ToolSet,
    retry: { delayMs: 0 },
    ...settings,
    store,
    model,
  });
  let counter = 0;

  async function read(stream: FlowStream | null): Promise<UIMessageChunk[]> {
    if (!stream) throw new Error('There is no stream to read.');
    return collect(uiMessageChunks(stream));
  }

  /** Starts a chat with one message. Returns the response's chunks. */
  function chat(chatId = 'chat', principal = ada) {
    const id = parseChatId(chatId);
    const ask = (request: Partial<Parameters<typeof flow.chats.respond>[0]>) =>
      flow.chats.respond({ chatId: id, principal, trigger: 'submit-message', via: 'test', ...request });
    return {
      id,
      ask,
      say: async (text: string, more: Partial<Parameters<typeof flow.chats.respond>[0]> = {}) =>
        read(await ask({ message: userMessage(`user-${++counter}`, text), ...more })),
      answer: async (approvalId: string, approved: boolean, more: Partial<AnswerRequest> = {}) =>
        read(await ask({ answers: [{ approvalId: parseApprovalId(approvalId), approved, ...more }] })),
      answers: async (answers: AnswerRequest[], outputs: OutputRequest[] = []) =>
        read(await ask({ answers, outputs })),
      output: async (toolCallId: string, output: unknown) =>
        read(await ask({ outputs: [{ toolCallId: parseToolCallId(toolCallId), output }] })),
      resume: async () => {
        const stream = await flow.chats.resume({ chatId: id, principal });
        return stream && read(stream);
      },
      view: () => flow.chats.read({ chatId: id, principal }),
      events: () => flow.chats.timeline({ chatId: id, principal }),
      stop: () => flow.chats.stop({ chatId: id, principal }),
    };
  }

  return { flow, model, store, ran, read, chat, ...chat() };
}

export function userMessage(id: string, text: string) {
  return { id: parseMessageId(id), parts: [{ type: 'text' as const, text }] };
}

/** The id of the question in a response. */
export function questionIn(chunks: readonly UIMessageChunk[]): string {
  const chunk = chunks.find(
    (candidate) => candidate.type === 'tool-approval-request' && !candidate.isAutomatic,
  );
  if (chunk?.type !== 'tool-approval-request') throw new Error('The response has no question.');
  return chunk.approvalId;
}

/** A response's chunks without the transient ones. */
export function lasting(chunks: readonly UIMessageChunk[]): UIMessageChunk[] {
  return chunks.filter((chunk) => !('transient' in chunk && chunk.transient));
}

/** The types of a response's non-transient chunks. */
export function types(chunks: readonly UIMessageChunk[]): string[] {
  return lasting(chunks).map((chunk) => chunk.type);
}

/** The chunk types of a response that has one step, with this content. */
export const framed = (...content: string[]) => ['start', 'start-step', ...content, 'finish-step', 'finish'];

/** The chunk types of a call that is asked about. */
export const questionTypes = ['tool-input-start', 'tool-input-available', 'tool-approval-request'];

/** The chunk types of a text in one piece. */
export const textTypes = ['text-start', 'text-delta', 'text-end'];

export type { ChatId, MessageId };
