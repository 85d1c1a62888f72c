import { type InferUITools, tool, type UIMessage } from 'ai';
import type { ApprovalFlow } from 'countersign';
import type { PluginMethods } from 'countersign/plugin';
import type { ImportResult, imports } from 'countersign/plugins/imports';
import { z } from 'zod';

/** What the compiler must accept and refuse of imported chats. `npm run types` is the test. */
declare const flow: ApprovalFlow & PluginMethods<[ReturnType<typeof imports>]>;
const pay = tool({ inputSchema: z.object({ to: z.string() }), outputSchema: z.object({ paid: z.number() }) });
type AppMessage = UIMessage<{ model: string }, { chart: number[] }, InferUITools<{ pay: typeof pay }>>;
declare const messages: AppMessage[];
const principal = { id: 'ada', name: 'Ada' };

export const typedMessages = (): Promise<ImportResult> =>
  flow.imports.chat({ principal, chatId: 'chat-1', messages, createdAt: Date.now() });

export const askedAgain = async () => {
  const { status, open } = await flow.imports.chat({ principal, chatId: 'chat-1', messages });
  return status === 'imported' ? flow.approvals.read({ principal, approvalId: open ?? fail() }) : undefined;
};
declare function fail(): never;

export const refused = () => [
  // @ts-expect-error: whose chat it is, is needed
  flow.imports.chat({ chatId: 'chat-1', messages }),
  // @ts-expect-error: model messages are something else
  flow.imports.chat({ principal, chatId: 'chat-1', messages: [{ role: 'user', content: 'Hi.' }] }),
  // @ts-expect-error: times are numbers
  flow.imports.chat({ principal, chatId: 'chat-1', messages, updatedAt: new Date() }),
  // @ts-expect-error: a misspelt field
  flow.imports.chat({ principal, chatId: 'chat-1', messages, titel: 'Old' }),
];
