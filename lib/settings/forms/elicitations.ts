import { jsonSchema } from '@ai-sdk/provider-utils';
import type { ToolExecutionOptions, ToolSet } from 'ai';
import { CountersignError } from '../../protocol/index.ts';
import { builtinModule } from '../../runtime/builtin-module.ts';
import type { CallContext } from '../call/call-context.ts';
import { markAsking } from '../tools/tool-details.ts';

/** An MCP server's request, as passed to the client's handler: a message, and the JSON Schema of the answer. */
export type ElicitationRequest = {
  readonly params: { readonly message: string; readonly requestedSchema?: unknown };
};

/** The answer to an MCP server. `content` comes with `accept`. */
export type ElicitationResult = {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, unknown>;
};

/** The two halves of an MCP client that elicits. @see elicitations */
export type Elicitations = {
  /** Forwards the server's question to the chat of the call. Pass it to the client's `onElicitationRequest`. */
  readonly handler: (request: ElicitationRequest) => Promise<ElicitationResult>;
  /** Wraps the client's tools, so that it is known which calls are running. */
  tools<Tools extends Readonly<Record<string, object>>>(tools: Tools): Tools;
};

/**
 * Lets the server of one MCP client ask the person while its tools run (elicitation). Each question becomes a question of
 * the chat, like those that ask for approval: with the form that the server requests, in the chat and in the inbox.
 *
 * MCP does not say which call asks. Over HTTP it is known, because each call has its own stream. Otherwise, a
 * server can ask only while one call of its client runs. Requests that could belong to several chats are
 * refused, so create a client for each person.
 *
 * @source ADR 0037
 * @example
 * const asks = elicitations();
 * client.onElicitationRequest(ElicitationRequestSchema, asks.handler);
 * const flow = createApprovalFlow({ store, model, tools: asks.tools(await client.tools()) });
 */
export function elicitations(): Elicitations {
  const { AsyncLocalStorage } = builtinModule('node:async_hooks') ?? {};
  const current = AsyncLocalStorage && new AsyncLocalStorage<CallContext>();
  const running = new Set<CallContext>();

  /** @throws CountersignError `invalid-request` if it is unknown which call asks */
  function callThatAsks(): CallContext {
    const [only] = running;
    const isOneChat = new Set([...running].map(({ chatId }) => chatId)).size === 1;
    const own = current?.getStore();
    const found = running.size === 1 ? only : isOneChat && own && running.has(own) ? own : undefined;
    if (found?.ask) return found;
    throw new CountersignError(
      'invalid-request',
      running.size === 0
        ? 'The MCP server asked while no call of its tools was running.'
        : 'Several calls of this MCP client are running, so it is unknown which one asks. Create a client for each person. ' +
            'Unless it is connected over HTTP, set `toolCallConcurrency: 1`, too.',
    );
  }

  type Run = (input: unknown, options: ToolExecutionOptions<CallContext>) => unknown;

  function tracked(execute: Run): Run {
    return async (input, options) => {
      const { context } = options;
      running.add(context);
      try {
        const run = () => execute(input, options);
        return await (current ? current.run(context, run) : run());
      } finally {
        running.delete(context);
      }
    };
  }

  return {
    async handler({ params: { message, requestedSchema } }) {
      const { ask } = callThatAsks();
      const schema = requestedSchema === undefined ? {} : { schema: jsonSchema(requestedSchema as object) };
      const answer = await ask({ message, ...schema });
      if (answer.action !== 'accept') return { action: answer.action };
      return { action: 'accept', content: { ...(answer.content as Record<string, unknown>) } };
    },

    tools(tools) {
      const own = Object.entries(tools as unknown as ToolSet).map(([name, tool]) => {
        const { execute } = tool;
        return [name, execute ? markAsking({ ...tool, execute: tracked(execute as Run) }) : tool];
      });
      return Object.fromEntries(own) as typeof tools;
    },
  };
}
