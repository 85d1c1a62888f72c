import { join } from 'node:path';
import { tool } from 'ai';
import {
  createApprovalFlow,
  type FlowSettings,
  parseApprovalId,
  parseChatId,
  parseMessageId,
} from 'countersign';
import type { FlowStore } from 'countersign/store';
import { postgresStore, sqliteStore } from 'countersign/store';
import { type FlowStream, uiMessageChunks } from 'countersign/views';
import { z } from 'zod';
import type { Contestant, ContestantSettings } from '../support/contestant.ts';
import { paymentModel } from '../support/payment-model.ts';
import { type Till, wordsFor } from '../support/payment-script.ts';

const principal = { id: 'bench', name: 'Bench' };

/** Countersign on its embedded store. */
export async function openOnSqlite({ folder, till }: ContestantSettings): Promise<Contestant> {
  return openOn(sqliteStore({ path: join(folder, 'countersign.sqlite') }), till);
}

/** Countersign on Postgres. */
export async function openOnPostgres({
  connectionString = '',
  till,
}: ContestantSettings): Promise<Contestant> {
  return openOn(postgresStore({ connectionString }), till);
}

/** The flow that is measured, on any store. @param settings a clock other than the machine's own; plugins */
export function benchFlow(
  store: FlowStore,
  till: Till,
  settings: Pick<FlowSettings, 'clock' | 'plugins' | 'mayOperate'> = {},
) {
  return createApprovalFlow({
    ...settings,
    store,
    model: paymentModel(),
    tools: {
      pay: tool({
        inputSchema: z.object({ recipient: z.string() }),
        execute: ({ recipient }) => till.pay(recipient),
      }),
    },
    toolApproval: { pay: 'user-approval' },
  });
}

/** A flow as a contestant, on any store. */
export function openOn(store: FlowStore, till: Till, settings?: Pick<FlowSettings, 'clock'>): Contestant {
  const flow = benchFlow(store, till, settings);
  return {
    chat(id) {
      const request = {
        chatId: parseChatId(id),
        principal,
        trigger: 'submit-message',
        via: 'bench',
      } as const;
      return {
        begin: async (task) => {
          const parts = [{ type: 'text', text: wordsFor(task, id) }] as const;
          const message = { id: parseMessageId(`${id}-message`), parts };
          return questionsIn(await flow.chats.respond({ ...request, message }));
        },
        answer: async (question) => {
          const answers = [{ approvalId: parseApprovalId(question), approved: true }];
          return questionsIn(await flow.chats.respond({ ...request, answers }));
        },
      };
    },
    async close() {
      await flow.close();
      await store.close();
    },
  };
}

/** Reads a whole response, as the AI SDK's chunks. The question that it ends with, if it does. */
async function questionsIn(stream: FlowStream): Promise<string[]> {
  let open: string[] = [];
  for await (const chunk of uiMessageChunks(stream)) {
    if (chunk.type === 'tool-approval-request') open = [chunk.approvalId];
    else if (chunk.type === 'tool-approval-response') open = [];
  }
  return open;
}
