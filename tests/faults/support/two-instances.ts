import { type ToolSet, tool } from 'ai';
import {
  type ApprovalFlow,
  type ChatId,
  CountersignError,
  createApprovalFlow,
  type FlowSettings,
  parseApprovalId,
  parseChatId,
} from 'countersign';
import type { FlowStore } from 'countersign/store';
import { collect, type Script, scriptedModel } from 'countersign/testing';
import { type FlowStream, uiMessageChunks } from 'countersign/views';
import { z } from 'zod';
import { ada, questionIn, userMessage } from '../../support/flow-fixture.ts';
import { timedBy } from '../../support/timed-by.ts';
import type { Database } from './databases.ts';

/** The result of a concurrent request: served, or refused with a code. */
export type Outcome = 'served' | CountersignError['code'];

/** Pays once on request, if approved; otherwise replies with a sentence. */
const payWhenTold: Script = ({ prompt }) => {
  const start = prompt.findLastIndex(({ role }) => role === 'user');
  const isTold = JSON.stringify(prompt[start]).includes('Pay');
  return isTold && start === prompt.length - 1 ? [{ call: 'pay' }] : [{ text: 'Well then.' }];
};

/** Two instances of a flow with one database, one payment counter and one user. */
export function twoInstances(database: Database, settings: Partial<FlowSettings> = {}) {
  const paid = new Map<string, number>();
  const tools: ToolSet = {
    pay: tool({
      inputSchema: z.object({}),
      needsApproval: true,
      execute: async (_, { context }) => {
        const { chatId } = z.object({ chatId: z.string() }).parse(context);
        paid.set(chatId, (paid.get(chatId) ?? 0) + 1);
        return 'paid';
      },
    }),
  };
  const { clock } = settings;
  const [first, second] = database.openTwo().map((store) => (clock ? timedBy(store, clock) : store)) as [
    FlowStore,
    FlowStore,
  ];
  const instance = (store: typeof first) =>
    createApprovalFlow({ model: scriptedModel(payWhenTold), tools, ...settings, store });
  const flows = [instance(first), instance(second)] as const;

  return {
    flows,
    store: first,
    /** How often the tool ran in a chat. */
    paid: (chatId: string) => paid.get(chatId) ?? 0,
    async close() {
      await Promise.all(flows.map((flow) => flow.close()));
    },
    /** A new chat with an open question, and the possible actions. */
    async ask(id: string) {
      const chatId = parseChatId(id);
      const opening = await say(flows[0], chatId, `${id}-first`, 'Pay.');
      const approvalId = parseApprovalId(questionIn(await read(opening)));
      const by = { chatId, principal: ada };
      return {
        chatId,
        approvalId,
        /** Like a chat page, reading the response to its end. */
        respond: (flow: ApprovalFlow, approved: boolean, principal = ada) =>
          outcomeOf(async () => {
            const answers = [{ approvalId, approved }];
            await read(
              await flow.chats.respond({ ...by, principal, trigger: 'submit-message', answers, via: 'test' }),
            );
          }),
        /** Like an inbox. */
        answer: (flow: ApprovalFlow, approved: boolean, principal = ada) =>
          outcomeOf(() => flow.approvals.answer({ approvalId, principal, approved, via: 'test' })),
        say: (flow: ApprovalFlow, text: string) =>
          outcomeOf(async () => read(await say(flow, chatId, `${id}-second`, text))),
        stop: (flow: ApprovalFlow) => outcomeOf(() => flow.chats.stop(by)),
        /** Resolves when nothing is in progress any more, as seen from this instance. */
        async rests(flow: ApprovalFlow): Promise<void> {
          do {
            const stream = await flow.chats.resume(by);
            if (stream) await read(stream);
          } while ((await flow.chats.read(by)).run.status === 'active');
        },
        /** Everything a user may see of the chat and the question through an instance. */
        seenBy: async (flow: ApprovalFlow) => ({
          chat: await flow.chats.read(by),
          question: await flow.approvals.read({ principal: ada, approvalId }),
          timeline: await flow.chats.timeline(by),
        }),
      };
    },
  };
}

/** @see twoInstances */
export type AskedChat = Awaited<ReturnType<ReturnType<typeof twoInstances>['ask']>>;

function say(flow: ApprovalFlow, chatId: ChatId, id: string, text: string): Promise<FlowStream> {
  const message = userMessage(id, text);
  return flow.chats.respond({ chatId, principal: ada, trigger: 'submit-message', message, via: 'test' });
}

async function read(stream: FlowStream) {
  return collect(uiMessageChunks(stream));
}

async function outcomeOf(act: () => Promise<unknown>): Promise<Outcome> {
  try {
    await act();
    return 'served';
  } catch (error) {
    if (CountersignError.is(error) && error.code !== 'internal') return error.code;
    throw error;
  }
}
