import type { UIMessageChunk } from 'ai';
import { createApprovalFlow, type FlowSettings, type Principal } from 'countersign';
import { imports } from 'countersign/plugins/imports';
import { votes } from 'countersign/plugins/votes';
import { sqliteStore } from 'countersign/store';
import { collect, fakeClock } from 'countersign/testing';
import { type FlowStream, uiMessageChunks } from 'countersign/views';
import { onTestFinished } from 'vitest';
import {
  type AnswerRequest,
  parseApprovalId,
  parseChatId,
  parseMessageId,
} from '../../../lib/protocol/index.ts';
import { cutOffStore } from '../../support/cut-off-store.ts';
import { ada } from '../../support/flow-fixture.ts';
import { passTime } from '../../support/pass-time.ts';
import type { Provider } from './provider.ts';
import type { Reply } from './reply.ts';
import { type ServedProvider, serveProvider } from './serve-provider.ts';
import { sceneTools } from './tools.ts';

const leaseMs = 10_000;

type More = Partial<AnswerRequest> & { readonly by?: Principal };

/** A chat with a flow whose models are services on loopback ports. @see openConversation */
export type Conversation = Awaited<ReturnType<typeof openConversation>>;

type Options = {
  readonly settings?: Partial<FlowSettings> | undefined;
  /** Whether the server is restarted before each request of a person. */
  readonly restarts?: boolean;
};

/**
 * Opens a chat with the first provider. `switchTo` continues it with the next one.
 *
 * @param scripts the replies of each provider
 */
export async function openConversation(
  providers: readonly [Provider, ...Provider[]],
  scripts: readonly (readonly Reply[])[],
  { settings = {}, restarts = false }: Options = {},
) {
  const store = sqliteStore({ path: ':memory:' });
  const clock = fakeClock();
  let line = cutOffStore(store);
  const tools = sceneTools();
  const served: ServedProvider[] = [];
  for (const [index, provider] of providers.entries()) {
    served.push(await serveProvider(provider, scripts[index] ?? []));
  }
  const chatId = parseChatId('chat');
  const where = { chatId, principal: ada };
  let current = 0;
  let shown: UIMessageChunk[] = [];
  let messages = 0;

  const open = () => {
    const provider = providers[current] ?? providers[0];
    return createApprovalFlow({
      ...tools.settings,
      ...provider.settings,
      retry: { delayMs: 0 },
      logger: { warn: () => {}, error: () => {} },
      maxRetries: 0,
      ...settings,
      store: line.store,
      clock,
      leaseMs,
      plugins: [imports(), votes()],
      model: provider.modelAt(served[current]?.url ?? ''),
    });
  };
  let flow = open();
  onTestFinished(async () => {
    await flow.close();
    await store.close();
    for (const service of served) await service.close();
  });

  const take = async (stream: FlowStream | null) => {
    if (!stream) throw new Error('There is no response to read.');
    shown = await collect(uiMessageChunks(stream));
  };
  const restart = async () => {
    await flow.close();
    flow = open();
    await flow.recover();
  };
  const ask = async (request: Partial<Parameters<typeof flow.chats.respond>[0]>) => {
    if (restarts) await restart();
    return flow.chats.respond({ ...where, trigger: 'submit-message', via: 'test', ...request });
  };
  /** The open questions, also those that no response has shown. */
  const question = async () => {
    const { questions } = await flow.chats.read(where);
    const open = questions.find(({ state }) => state === 'open');
    if (!open) throw new Error(`The chat has no open question: ${JSON.stringify(questions)}`);
    return parseApprovalId(open.id);
  };
  const answer = async (approved: boolean, { by, ...more }: More = {}) => {
    const given = { approved, ...more, approvalId: await question() };
    if (by) await flow.approvals.answer({ ...given, principal: by, via: 'test' });
    else await take(await ask({ answers: [given] }));
  };
  const newMessage = (...texts: string[]) => {
    messages += 1;
    const parts = texts.map((text) => ({ type: 'text' as const, text }));
    return { id: parseMessageId(`user-${messages}`), parts };
  };

  return {
    tools,
    served,
    /** The text of the last response. */
    text: () => shown.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join(''),
    /** Sends a message of these texts. */
    say: async (...texts: string[]) => take(await ask({ message: newMessage(...texts) })),
    /** Sends a message with instructions for its turn. */
    instruct: async (instructions: string, text: string) =>
      take(await ask({ message: newMessage(text), options: { instructions } })),
    chatId,
    /** The flow of the current server. */
    get flow() {
      return flow;
    },
    /** Sends a message without waiting for the response to end. */
    begin: (text: string) => ask({ message: newMessage(text) }),
    approve: (more?: More) => answer(true, more),
    /** Approves without waiting for the response. */
    beginAnswer: async () =>
      flow.approvals.answer({ approvalId: await question(), approved: true, principal: ada, via: 'test' }),
    deny: (reason?: string) => answer(false, reason === undefined ? {} : { reason }),
    regenerate: async () => take(await ask({ trigger: 'regenerate-message' })),
    /** Edits the last message. */
    edit: async (text: string) => {
      const messageId = parseMessageId(`user-${messages}`);
      await take(await ask({ messageId, message: newMessage(text) }));
    },
    stop: () => flow.chats.stop(where),
    /** The response to its end, as a page that was reloaded reads it. */
    resume: async () => take(await flow.chats.resume(where)),
    /** Restarts the server. It continues an interrupted run. */
    restart,
    /** The server dies. Another one takes over when the lease has ended. */
    crash: async () => {
      line.cut();
      line = cutOffStore(store);
      await passTime(clock, leaseMs + 4_000, 500);
      flow = open();
      await flow.recover();
    },
    /** Restarts the server with the next provider's model. */
    switchTo: async (index: number) => {
      current = index;
      await restart();
    },
  };
}
