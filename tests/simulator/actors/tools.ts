import { type ToolSet, tool } from 'ai';
import { z } from 'zod';
import type { DataWriter, FlowSettings, ToolDetails } from '../../../lib/flow/index.ts';
import type { Execution, History, WrittenPart } from '../history.ts';
import type { SimProcess } from '../machine/process.ts';
import type { World } from '../machine/world.ts';
import { votedDetails } from '../several/settings.ts';

/** All tools of the simulated flow. `n` decides how a call ends, so that the model and a person can choose it. */
export const toolNames = [
  'quick',
  'pay',
  'slow',
  'stubborn',
  'endless',
  'breaks',
  'resets',
  'streams',
  'put',
  'limited',
  'wire',
  'cents',
  'moody',
  'boss',
  'page',
] as const;
export type ToolName = (typeof toolNames)[number];

/** Tools whose calls may run without a question. `moody`: its gate decides that for some calls. */
export const ungated: ReadonlySet<string> = new Set(['quick']);
/** Tools that are marked `idempotent`. */
export const idempotent: ReadonlySet<string> = new Set(['put']);
export const toolTimeoutMs = 700;

type Context = {
  readonly chatId: string;
  readonly principal: { readonly id: string };
  readonly approvedBy?: { readonly id: string };
  readonly idempotencyKey: string;
  readonly fencingToken: number;
  readonly writer: DataWriter;
};
type Options = { readonly toolCallId: string; readonly abortSignal?: AbortSignal; readonly context: unknown };
type Input = { readonly n: number; readonly note?: string };

/** What `moody`'s gate returns for a call: one of two statuses, or one of three failures. */
export function moodOf(n: number): 'asks' | 'fails' {
  return n % 4 < 2 ? 'asks' : 'fails';
}

/** What the rule of `boss` returns for a manager: `true`, or a value that does not count as permission. */
export function bossDecides(n: number): 'yes' | 'no' {
  return n % 4 < 2 ? 'yes' : 'no';
}

/**
 * The tools of one process, in its version. Each call is recorded in the history.
 *
 * @param options.path of the subagent whose tools they are, such as `team/`
 * @param options.has whether the process has this plugin
 */
export function createTools(
  world: World,
  history: History,
  process: SimProcess,
  {
    version,
    path = '',
    has,
  }: {
    readonly version: number;
    readonly path?: string | undefined;
    readonly has: (plugin: string) => boolean;
  },
) {
  const inputSchema = z.object({ n: z.number(), note: z.string().optional() });

  function begin(name: string, input: Input, { toolCallId, context }: Options): Execution {
    const { chatId, principal, approvedBy, idempotencyKey, fencingToken } = context as Context;
    const execution: Execution = {
      moment: history.moment(),
      at: world.elapsed(),
      instance: process.name,
      version,
      tool: name,
      toolName: `${path}${name}`,
      chatId,
      toolCallId,
      input: input as never,
      principalId: principal.id,
      ...(approvedBy && { approvedBy: approvedBy.id }),
      idempotencyKey,
      fencingToken,
    };
    history.executions.push(execution);
    world.note(`${process.name} runs ${path}${name} ${chatId}/${toolCallId} n=${input.n}`);
    return execution;
  }

  /** Writes one part that stays and one that does not. A tool need not know whether that succeeds. */
  async function note({ chatId, toolCallId, instance }: Execution, { context }: Options): Promise<void> {
    if (!history.profile.dataParts) return;
    const { writer } = context as Context;
    const written: WrittenPart = {
      chatId,
      toolCallId,
      instance,
      moment: history.moment(),
      note: `${chatId}/${toolCallId} ${history.dataParts.length}`,
    };
    history.dataParts.push(written);
    void writer.write({ type: 'data-tick', data: written.note, transient: true });
    await writer.write({ type: 'data-note', data: written.note }).then(
      () => {
        written.durableAt = history.moment();
      },
      () => {},
    );
  }

  function effect(execution: Execution): void {
    execution.effectAt ??= history.moment();
  }

  function recorded(
    name: string,
    act: (input: Input, execution: Execution, options: Options) => Promise<unknown>,
  ) {
    return async (input: Input, options: Options) => {
      const execution = begin(name, input, options);
      try {
        void note(execution, options);
        const output = await act(input, execution, options);
        await note(execution, options);
        execution.ended = { moment: history.moment(), how: 'returned', output };
        return output;
      } catch (error) {
        execution.ended = { moment: history.moment(), how: 'threw', error };
        throw error;
      } finally {
        world.note(`${process.name} ${name} ${execution.toolCallId} ${execution.ended?.how}`);
      }
    };
  }

  const acting = (name: string, act: Parameters<typeof recorded>[1]) =>
    tool({ inputSchema, execute: recorded(name, act) as never });

  const done = (execution: Execution) => {
    effect(execution);
    return { did: execution.input.n };
  };

  const tools = {
    quick: acting('quick', async (_, execution) => done(execution)),
    pay: acting('pay', async (_, execution) => done(execution)),
    slow: acting('slow', async ({ n }, execution, { abortSignal }) => {
      await process.sleep(100 + n * 40);
      abortSignal?.throwIfAborted();
      return done(execution);
    }),
    stubborn: acting('stubborn', async ({ n }, execution) => {
      effect(execution);
      await process.sleep(500 + n * 200);
      return done(execution);
    }),
    endless: acting('endless', async (_, execution) => {
      effect(execution);
      return new Promise(() => {});
    }),
    breaks: acting('breaks', async ({ n }) => {
      await process.sleep(n * 5);
      const error = new Error(`It broke before it did ${n}.`);
      // In some dialects a person may then try again.
      throw history.profile.dialects ? Object.assign(error, { isRetryable: true }) : error;
    }),
    resets: acting('resets', async ({ n }, execution) => {
      effect(execution);
      await process.sleep(n * 5);
      throw Object.assign(new Error('The connection was reset.'), { code: 'ECONNRESET' });
    }),
    streams: tool({
      inputSchema,
      async *execute(input: Input, options: Options) {
        const execution = begin('streams', input, options);
        effect(execution);
        for (let part = 1; part <= 3; part += 1) {
          yield { part };
          if (part === 2) await note(execution, options);
          await process.sleep(30 + input.n * 50);
        }
        const output = { did: input.n };
        execution.ended = { moment: history.moment(), how: 'returned', output };
        yield output;
      },
    } as never),
    put: acting('put', async ({ n }, execution) => {
      await process.sleep(n * 20);
      const isFirst =
        history.executions.filter(({ idempotencyKey }) => idempotencyKey === execution.idempotencyKey)
          .length < 2;
      if (n % 3 === 0 && isFirst) throw Object.assign(new Error('Try again later.'), { statusCode: 503 });
      return done(execution);
    }),
    limited: acting('limited', async ({ n }, execution) => {
      await process.sleep(n * 100);
      return done(execution);
    }),
    wire: tool({
      inputSchema: z.object({ n: z.number(), note: z.string().default('without a word') }),
      execute: recorded('wire', async (_, execution) => {
        await process.sleep(4_000);
        return done(execution);
      }) as never,
    }),
    cents: tool({
      inputSchema: z.object({ n: z.number().transform((whole) => whole * 100), note: z.string().optional() }),
      execute: recorded('cents', async (_, execution) => done(execution)) as never,
    }),
    moody: acting('moody', async (_, execution) => done(execution)),
    boss: acting('boss', async (_, execution) => done(execution)),
    page: tool({ inputSchema, outputSchema: z.object({ seen: z.number() }) }),
  } satisfies Record<ToolName, unknown>;

  const details: Partial<Record<ToolName, ToolDetails>> = {
    pay: { version: `v${version}`, describe: ({ n }: Input) => `Pay ${n}.` },
    put: { idempotent: true },
    limited: { timeoutMs: toolTimeoutMs },
    wire: {
      lookup: (idempotencyKey) => {
        history.lookups.push({ moment: history.moment(), idempotencyKey });
        const made = history.executions.filter((execution) => execution.idempotencyKey === idempotencyKey);
        const effected = made.find(({ effectAt }) => effectAt !== undefined);
        return effected && { outcome: 'completed', output: { did: effected.input.n } };
      },
    },
    boss: {
      approvers: (principal, { input, askedBy }) => {
        const { n } = input as Input;
        if (n % 4 === 3) throw new Error('The rule broke.');
        if (n % 4 === 2) return 'yes' as never;
        const isBoss = principal.role === 'manager' && principal.id !== askedBy.id;
        return n % 4 === 1 ? Promise.resolve(isBoss) : isBoss;
      },
    },
  };

  const { several } = history.profile;
  if (several) {
    for (const name of several.voted) {
      const { approvers, ...ofPlugin } = votedDetails(several);
      details[name] = { ...details[name], approvers, ...(has('votes') && ofPlugin) };
    }
    if (has('escalation')) details.boss = { ...details.boss, escalation: false };
  }

  const toolApproval = {
    ...Object.fromEntries(
      toolNames
        .filter((name) => !ungated.has(name) && name !== 'page')
        .map((name) => [name, 'user-approval']),
    ),
    moody: ({ n }: Input) => {
      if (n % 4 === 3) throw new Error('The gate broke.');
      if (n % 4 === 2) return 'perhaps';
      return n % 4 === 1 ? Promise.resolve('user-approval') : 'user-approval';
    },
  };

  for (const name of history.profile.dialects?.secret ?? []) {
    details[name] = { ...details[name], secrets: { output: ['did'] } };
  }
  for (const name of history.profile.subscriptions?.secret ?? []) {
    details[name] = { ...details[name], secrets: { ...details[name]?.secrets, input: ['note'] } };
  }

  return {
    tools: tools as unknown as ToolSet,
    toolDetails: details as FlowSettings['toolDetails'],
    toolApproval: toolApproval as unknown as FlowSettings['toolApproval'],
  };
}
