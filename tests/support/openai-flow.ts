import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpenAI } from '@ai-sdk/openai';
import { type LanguageModel, type ToolSet, tool, type UIMessageChunk } from 'ai';
import { type ApprovalFlow, createApprovalFlow, type FlowSettings } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { checkResponseTiming, collect, type TimingOptions, type Violation } from 'countersign/testing';
import { type FlowStream, uiMessageChunks } from 'countersign/views';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { parseApprovalId, parseChatId } from '../../lib/protocol/index.ts';
import { clientMessage } from './client-message.ts';
import { ada, questionIn, userMessage } from './flow-fixture.ts';
import type { ScriptedResponse } from './openai-script.ts';
import { serveResponses } from './openai-server.ts';

const apiKey = 'test-key';

/** The gated tools of "Search and update database", and their effects. */
export function databaseTools() {
  const ran: string[] = [];
  const tools = {
    search_database: tool({
      inputSchema: z.object({ query: z.string() }),
      needsApproval: true,
      execute: ({ query }) => {
        ran.push(`search ${query}`);
        return { rows: 10 };
      },
    }),
    update_database: tool({
      inputSchema: z.object({ field: z.string() }),
      needsApproval: true,
      execute: ({ field }) => {
        ran.push(`update ${field}`);
        return 'Updated 10 rows.';
      },
    }),
  } satisfies ToolSet;
  return { tools, ran };
}

type OpenAIFlowSettings = Partial<FlowSettings> & {
  /** `false`: requests contain `store: false`, and the API stores nothing. */
  readonly kept?: boolean;
  /** Creates the model from the server's URL. Default: the provider's Responses model. */
  readonly modelAt?: (baseURL: string) => LanguageModel;
  /** The store's file. Default: in memory. */
  readonly path?: string;
};

/** A server that plays a script, and a function to open flows that use it through the real provider package. */
export async function openAIFlow(script: readonly ScriptedResponse[], settings: OpenAIFlowSettings = {}) {
  const { kept = true, modelAt = responsesModel, path = ':memory:', ...rest } = settings;
  const server = await serveResponses(script);
  onTestFinished(() => server.close());

  /** A flow with its own instance. Another one on the same file is like the server after a restart. */
  function open() {
    const store = sqliteStore({ path });
    const flow = createApprovalFlow({
      retry: { delayMs: 0 },
      maxRetries: 0,
      logger: { warn() {}, error() {} },
      ...(kept ? {} : { providerOptions: { openai: { store: false } } }),
      ...rest,
      store,
      model: modelAt(server.url),
    });
    const close = async () => {
      await flow.close();
      await store.close();
    };
    return { flow, close };
  }

  let { flow, close } = open();
  onTestFinished(() => close());
  return {
    server,
    chat: () => conversation(() => flow, { finished: true, release: rest.release }),
    /** Restarts the server: another flow on the same file, which resumes interrupted runs. */
    async restart() {
      await close();
      ({ flow, close } = open());
      await flow.recover();
    },
  };
}

/** A store's file. Removed after the test. */
export function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'chats.sqlite');
}

function responsesModel(baseURL: string): LanguageModel {
  return createOpenAI({ apiKey, baseURL }).responses('gpt-5.4-mini');
}

/** One chat as its user sees it: sends messages, answers, and builds one message. */
function conversation(flow: () => ApprovalFlow, timing: TimingOptions) {
  const id = parseChatId('chat');
  const where = { chatId: id, principal: ada };
  let responses: UIMessageChunk[][] = [];
  let client = clientMessage();
  let counter = 0;

  async function take(stream: Promise<FlowStream>): Promise<UIMessageChunk[]> {
    const chunks = await collect(uiMessageChunks(await stream));
    responses.push(chunks);
    await client.read(chunks);
    return chunks;
  }

  const ask = (request: Partial<Parameters<ApprovalFlow['chats']['respond']>[0]>) =>
    take(flow().chats.respond({ ...where, trigger: 'submit-message', via: 'test', ...request }));

  function beginMessage(): void {
    responses = [];
    client = clientMessage();
  }

  return {
    say(text: string) {
      beginMessage();
      counter += 1;
      return ask({ message: userMessage(`user-${counter}`, text) });
    },
    regenerate() {
      beginMessage();
      return ask({ trigger: 'regenerate-message' });
    },
    /** Answers the question of the last response. */
    answer(approved: boolean, reason?: string) {
      const approvalId = questionIn(responses.at(-1) ?? []);
      client.answer(approvalId, approved, reason);
      const withReason = reason === undefined ? {} : { reason };
      return ask({ answers: [{ approvalId: parseApprovalId(approvalId), approved, ...withReason }] });
    },
    /** Answers without reading the response. */
    async answerElsewhere(approved: boolean) {
      const approvalId = parseApprovalId(questionIn(responses.at(-1) ?? []));
      await flow().approvals.answer({ approvalId, principal: ada, approved, via: 'test' });
    },
    /** The message from its start to the end of the current run. */
    async resume() {
      const stream = await flow().chats.resume(where);
      if (!stream) throw new Error('There is nothing to resume.');
      client = clientMessage();
      const chunks = await collect(uiMessageChunks(stream));
      await client.read(chunks);
      return chunks;
    },
    /** Breaches of the response timing rules in the turn so far, which must be whole. */
    violations: (): Violation[] => checkResponseTiming(responses, timing),
    /** The message of the user's client. */
    message: () => client.value,
    /** The message stored on the server. */
    stored: async () => (await flow().chats.read(where)).messages.at(-1),
    events: () => flow().chats.timeline(where),
  };
}
