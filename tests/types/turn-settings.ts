import { type ToolExecutionOptions, ToolLoopAgent, type ToolLoopAgentSettings, tool } from 'ai';
import { type CallContext, createApprovalFlow } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import { z } from 'zod';

/** What the compiler must accept and refuse of settings that depend on the turn. `npm run types` is the test. */
const store = sqliteStore({ path: ':memory:' });
const model = scriptedModel([]);
const inputSchema = z.object({ to: z.string(), amount: z.number() });
const contextSchema = z.object({ apiKey: z.string() });

const pay = tool({
  inputSchema,
  contextSchema,
  execute: async (_input, { context }) => context.apiKey.length,
});
const search = tool({ inputSchema: z.object({ query: z.string() }), execute: async ({ query }) => [query] });

export const typedGates = () =>
  createApprovalFlow({
    store,
    model,
    tools: { pay, search },
    toolsContext: { pay: { apiKey: 'k1' } },
    runtimeContext: { tenant: 'blue' },
    toolApproval: {
      pay: ({ amount }, { principal, chatId, runtimeContext, toolContext }) =>
        amount.toFixed(2) + principal.id + chatId + runtimeContext.tenant + toolContext.apiKey === ''
          ? 'denied'
          : 'user-approval',
    },
    prepareStep: ({ runtimeContext, principal }) => ({
      runtimeContext: { tenant: runtimeContext.tenant + principal.name },
    }),
    stopWhen: ({ steps, principal }) => steps.length > principal.id.length,
  });

export const gateOfAllTools = () =>
  createApprovalFlow({
    store,
    model,
    tools: { search },
    toolApproval: ({ toolCall, principal }) =>
      toolCall.toolName === 'search' && principal.role === 'guest' ? 'user-approval' : undefined,
  });

export const wrongTenant = () =>
  createApprovalFlow({
    store,
    model,
    tools: { search },
    runtimeContext: { tenant: 'blue' },
    // @ts-expect-error the runtime context has no `region`
    prepareStep: ({ runtimeContext }) => ({ temperature: runtimeContext.region }),
  });

// @ts-expect-error `pay` needs a context
export const missingContext = () => createApprovalFlow({ store, model, tools: { pay } });

export const wrongContext = () =>
  // @ts-expect-error the key is a string
  createApprovalFlow({ store, model, tools: { pay }, toolsContext: { pay: { apiKey: 4711 } } });

export const contextOfAnotherTool = () =>
  createApprovalFlow({
    store,
    model,
    tools: { pay },
    // @ts-expect-error there is no such tool
    toolsContext: { pay: { apiKey: 'k1' }, refund: {} },
  });

/** `execute` names what the flow adds. Its own part is what `toolsContext` must have. */
const book = tool({
  inputSchema,
  execute: async (_input, { context }: ToolExecutionOptions<CallContext & { region: string }>) =>
    context.principal.id + context.idempotencyKey + context.region,
});
const refund = tool({
  inputSchema,
  execute: async (_input, { context }: ToolExecutionOptions<CallContext>) => context.principal.name,
});

export const wrongField = ({ context }: ToolExecutionOptions<CallContext>) =>
  // @ts-expect-error a principal has no such field
  context.principal.email;

export const typedPrincipal = () =>
  createApprovalFlow({
    store,
    model,
    tools: { book, refund },
    toolsContext: { book: { region: 'eu' } },
    toolApproval: { book: 'user-approval', refund: 'user-approval' },
  });

export const noOwnContext = () => createApprovalFlow({ store, model, tools: { refund } });

// @ts-expect-error `book` needs a region
export const missingRegion = () => createApprovalFlow({ store, model, tools: { book, refund } });

const callOptionsSchema = z.object({ plan: z.enum(['free', 'pro']) });

export const typedOptions = () =>
  createApprovalFlow({
    store,
    model,
    tools: { search },
    callOptionsSchema,
    prepareCall: ({ options, principal, chatId, ...rest }) => ({
      ...rest,
      instructions: `${principal.name} in ${chatId}`,
      temperature: options.plan === 'pro' ? 1 : 0,
    }),
  });

export const wrongOptions = () =>
  createApprovalFlow({
    store,
    model,
    tools: { search },
    callOptionsSchema,
    // @ts-expect-error there is no such plan
    prepareCall: ({ options, ...rest }) => ({ ...rest, temperature: options.plan === 'gold' ? 1 : 0 }),
  });

type Tools = { pay: typeof pay; search: typeof search };
type Options = z.infer<typeof callOptionsSchema>;

/** The settings of an agent, as the SDK types them. */
const settings = {
  model,
  tools: { pay, search },
  toolsContext: { pay: { apiKey: 'k1' } },
  runtimeContext: { tenant: 'blue' },
  toolApproval: { pay: ({ amount }) => (amount > 10 ? 'user-approval' : undefined) },
  callOptionsSchema,
  prepareCall: ({ options, ...rest }) => ({ ...rest, temperature: options.plan === 'pro' ? 1 : 0 }),
} satisfies ToolLoopAgentSettings<Options, Tools, { tenant: string }>;

export const agent = () => new ToolLoopAgent(settings);
export const flowOfAgent = () => createApprovalFlow({ ...settings, store });
