import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type ToolSet, tool } from 'ai';
import { type ApprovalFlow, createApprovalFlow, parseApprovalId, parseChatId } from 'countersign';
import type { FlowEvent } from 'countersign/plugin';
import { sqliteStore } from 'countersign/store';
import {
  collect,
  dyingStore,
  fakeClock,
  type KillPoint,
  type ScriptedStep,
  scriptedModel,
} from 'countersign/testing';
import { type FlowStream, uiMessageChunks } from 'countersign/views';
import { z } from 'zod';
import { ada, userMessage } from '../../support/flow-fixture.ts';
import { callId, type Plan } from './chat-model.ts';

/** When an instance dies: at its n-th append, before or after it is written. */
export type Fall = { readonly append: number; readonly death: KillPoint['when'] };

const leaseMs = 10_000;
const silent = { warn: () => {}, error: () => {} };
const by = { chatId: parseChatId('chat'), principal: ada };

/** Follows the plan in the last user message, using only the prompt. */
function followPlan({ prompt }: LanguageModelV4CallOptions): ScriptedStep {
  const start = prompt.findLastIndex(({ role }) => role === 'user');
  const said = /"text":"(\S+) (\[.*?\])"/.exec(JSON.stringify(prompt[start]));
  const [, id = '', plan = '[]'] = said ?? [];
  const step = prompt.slice(start).filter(({ role }) => role === 'assistant').length;
  const calls: number = JSON.parse(plan)[step] ?? 0;
  if (calls === 0) return [{ text: 'Done.' }];
  return Array.from({ length: calls }, (_, index) => ({ call: 'act', id: callId(id, step, index) }));
}

/**
 * One chat on one database, served by a series of instances that die. After a crash, every unacknowledged action is
 * repeated, as a client does.
 *
 * @param falls when each instance dies; later instances do not die
 */
export function crashingChat(falls: readonly Fall[]) {
  const store = sqliteStore({ path: ':memory:' });
  const ran: string[] = [];
  const interrupted = new Set<string>();
  const prompts: LanguageModelV4CallOptions['prompt'][] = [];
  let instances = 0;
  let now = 1_000_000;
  let current = begin();

  function begin() {
    const fall = falls[instances];
    instances += 1;
    const dying = dyingStore(store, fall && { when: fall.death, append: fall.append + 1 });
    const clock = fakeClock(now);
    const model = scriptedModel((options) => {
      prompts.push(options.prompt);
      return followPlan(options);
    });
    const act = tool({
      inputSchema: z.object({}),
      needsApproval: true,
      execute: async (_, { toolCallId }) => {
        ran.push(toolCallId);
        return 'done';
      },
    });
    const tools: ToolSet = { act };
    const flow = createApprovalFlow({ store: dying.store, model, tools, clock, leaseMs, logger: silent });
    return { flow, died: dying.died };
  }

  /** A new instance, after the dead one's lease has ended. */
  async function restart(): Promise<void> {
    for (const call of await startedWithoutEnd()) interrupted.add(call);
    now += 2 * leaseMs;
    current = begin();
  }

  async function startedWithoutEnd(): Promise<string[]> {
    const log = await store.events.read(by.chatId, 0);
    const has = (type: RegExp, call: string) =>
      log.some((event) => type.test(event.type) && 'toolCallId' in event && event.toolCallId === call);
    return log.flatMap((event) =>
      event.type === 'tool-started' && !has(/^tool-(completed|failed|denied|cancelled)$/, event.toolCallId)
        ? [event.toolCallId]
        : [],
    );
  }

  /** Repeats an action until an instance completes it. */
  async function insist(act: (flow: ApprovalFlow) => Promise<void>): Promise<void> {
    for (;;) {
      const { flow, died } = current;
      const done = flow
        .recover()
        .then(() => rest(flow))
        .then(() => act(flow))
        .then(() => rest(flow))
        .then(() => true);
      if (await Promise.race([done, died.then(() => false)])) return;
      await restart();
    }
  }

  /** Waits until nothing is in progress. */
  async function rest(flow: ApprovalFlow): Promise<void> {
    while ((await store.chats.head(by.chatId))?.status === 'active')
      await readSome(await flow.chats.resume(by));
  }

  return {
    /** The calls whose tool ran, once per execution. */
    ran: ran as readonly string[],
    /** The calls that were running, or about to run, when an instance died. */
    interrupted: interrupted as ReadonlySet<string>,
    /** Every prompt of the model. */
    prompts: prompts as readonly LanguageModelV4CallOptions['prompt'][],
    deaths: () => instances - 1,
    /** @param leaveAfter the number of chunks read before the reader disconnects; default: the whole response */
    say: (id: string, plan: Plan, leaveAfter?: number) =>
      insist(async (flow) => {
        const message = userMessage(id, `${id} ${JSON.stringify(plan)}`);
        await readSome(
          await flow.chats.respond({ ...by, trigger: 'submit-message', message, via: 'test' }),
          leaveAfter,
        );
      }),
    answer: (question: string, approved: boolean, leaveAfter?: number) =>
      insist(async (flow) => {
        const answers = [{ approvalId: parseApprovalId(question), approved }];
        await readSome(
          await flow.chats.respond({ ...by, trigger: 'submit-message', answers, via: 'test' }),
          leaveAfter,
        );
      }),
    stop: () => insist((flow) => flow.chats.stop(by)),
    resume: (leaveAfter?: number) =>
      insist(async (flow) => readSome(await flow.chats.resume(by), leaveAfter)),
    view: () => current.flow.chats.read(by),
    log: (): Promise<readonly FlowEvent[]> => store.events.read(by.chatId, 0),
    /** What a new reader sees. */
    async shown() {
      const stream = await current.flow.chats.resume(by);
      return stream && collect(uiMessageChunks(stream));
    },
    async close() {
      await current.flow.close();
      await store.close();
    },
  };
}

async function readSome(stream: FlowStream | null, chunks = Number.POSITIVE_INFINITY): Promise<void> {
  const reader = stream && uiMessageChunks(stream).getReader();
  for (let read = 0; reader && read < chunks; read += 1) if ((await reader.read()).done) return;
  await reader?.cancel();
}
