import { tool } from 'ai';
import { createApprovalFlow } from 'countersign';
import { createFetchHandler } from 'countersign/sse/server';
import { z } from 'zod';
import { scriptedModel } from '../../../lib/testing/model/scripted-model.ts';
import { auditKey } from './audit-key.ts';
import { memoryStore } from './memory-store.ts';

/** What workerd gives a Worker for the class of its Durable Objects. */
type Chats = {
  readonly getByName: (name: string) => { readonly fetch: (request: Request) => Promise<Response> };
};

/**
 * One flow, in one Durable Object: a flow lives longer than a request, and a Worker's promises do not. Created in the
 * constructor, because a Worker may not make random numbers or start timers while it is loaded.
 */
export class Chat {
  readonly fetch = createFetchHandler(
    createApprovalFlow({
      store: memoryStore(),
      model: scriptedModel([[{ call: 'pay', input: { to: 'Alice' } }], [{ text: 'Paid.' }]]),
      tools: {
        pay: tool({ inputSchema: z.object({ to: z.string() }), execute: ({ to }) => `Paid ${to}.` }),
      },
      toolApproval: { pay: 'user-approval' },
      auditKey,
    }),
    { authorize: () => ({ id: 'ada', name: 'Ada' }) },
  );
}

export default {
  fetch: (request: Request, { chats }: { readonly chats: Chats }) => chats.getByName('all').fetch(request),
};
