import { type ToolExecutionOptions, tool, type UIMessage } from 'ai';
import { type CallContext, createApprovalFlow, parseChatId } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import { z } from 'zod';

/** Data parts have the types of the app's messages. `npm run types` is the test. */
type Message = UIMessage<unknown, { progress: { done: number }; note: string }>;

const inputSchema = z.object({ to: z.string() });

const pay = tool({
  inputSchema,
  execute: async (_input, { context: { writer } }: ToolExecutionOptions<CallContext<Message>>) => {
    await writer.write({ type: 'data-progress', id: 'p', data: { done: 1 } });
    void writer.write({ type: 'data-note', data: 'sent', transient: true });
    // @ts-expect-error progress is a number
    void writer.write({ type: 'data-progress', data: { done: 'half' } });
    // @ts-expect-error messages have no such data part
    void writer.write({ type: 'data-progres', data: { done: 1 } });
    // @ts-expect-error the field is `transient`
    void writer.write({ type: 'data-note', data: 'sent', transiant: true });
    // @ts-expect-error only data parts are written
    void writer.write({ type: 'text-start', id: 't' });
  },
});

const untyped = tool({
  inputSchema,
  execute: async (_input, { context }: ToolExecutionOptions<CallContext & { region: string }>) =>
    context.writer.write({ type: 'data-anything', data: context.region }),
});

export const flow = createApprovalFlow({
  store: sqliteStore({ path: ':memory:' }),
  model: scriptedModel([]),
  tools: { pay, untyped },
  toolsContext: { untyped: { region: 'eu' } },
});

const place = { chatId: parseChatId('chat'), principal: { id: 'ada', name: 'Ada' } };

export const typedRoute = () =>
  flow.chats.writer<Message>(place).write({ type: 'data-note', data: 'from a route' });

export const anyRoute = () => flow.chats.writer(place).write({ type: 'data-anything', data: { at: 1 } });

export const wrongRoute = () =>
  // @ts-expect-error a note is a string
  flow.chats.writer<Message>(place).write({ type: 'data-note', data: 1 });
