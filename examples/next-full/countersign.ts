import { openai } from '@ai-sdk/openai';
import { tool } from 'ai';
import { createApprovalFlow } from 'countersign';
import { createBidiServer } from 'countersign/bidi/server';
import { createFetchHandler } from 'countersign/sse/server';
import { postgresStore } from 'countersign/store/postgres';
import { z } from 'zod';

function open() {
  const flow = createApprovalFlow({
    store: postgresStore({
      connectionString: process.env.DATABASE_URL ?? 'postgres://localhost/countersign',
    }),
    model: openai(process.env.OPENAI_MODEL ?? 'gpt-5-mini'),
    tools: {
      process_payment: tool({
        description: 'Pay an amount of money to a recipient.',
        inputSchema: z.object({ recipient: z.string(), amount: z.number().positive() }),
        execute: async ({ recipient, amount }) => `Paid ${recipient} ${amount}.`,
      }),
    },
    toolApproval: { process_payment: 'user-approval' },
    toolDetails: {
      process_payment: {
        describe: ({ recipient, amount }) => `Pay ${recipient} ${amount}.`,
        summarize: (summary) => ({ summary, resultCount: 1 }),
        risk: 'high',
      },
    },
    logger: console,
  });
  const settings = {
    // Everyone is the same user here. Return the user of your login; `null` refuses the request.
    authorize: (_request: Request) => ({ id: 'local', name: 'You' }),
    // The host names of your site, such as chat.example.com. Default: only those of this machine.
    allowedHosts: process.env.ALLOWED_HOSTS?.split(','),
  };
  const { authorize } = settings;
  return {
    flow,
    authorize,
    handle: createFetchHandler(flow, settings),
    bidi: createBidiServer(flow, settings),
  };
}

/** Next compiles its routes into modules of their own; they and server.ts share this slot of the process. */
const slot = globalThis as { countersignExample?: ReturnType<typeof open> };

/** The one flow of this process, opened on first use: the build imports routes too, and needs no database. */
export function countersign() {
  slot.countersignExample ??= open();
  return slot.countersignExample;
}
