import { Output, type ToolLoopAgentSettings, tool } from 'ai';
import { createApprovalFlow } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import { z } from 'zod';

/** The settings of an existing agent are taken as they are, and a wrong one is a type error. */
const store = sqliteStore({ path: ':memory:' });
const model = scriptedModel([]);
const tools = {
  pay: tool({ inputSchema: z.object({ to: z.string(), amount: z.number() }), execute: async () => 'paid' }),
  weather: tool({
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => `Sunny in ${city}`,
  }),
};

export function takesTheSettingsOfAnAgent(agent: ToolLoopAgentSettings<never, typeof tools>) {
  return createApprovalFlow({ ...agent, store });
}

export function takesEveryCallSetting() {
  return createApprovalFlow({
    store,
    model,
    tools,
    reasoning: 'high',
    output: Output.object({ schema: z.object({ city: z.string() }) }),
    toolOrder: ['weather'],
    toolCallConcurrency: 2,
    timeout: { totalMs: 60_000, tools: { payMs: 5_000 } },
    include: { requestBody: true, rawChunks: true },
    experimental_refineToolInput: { weather: ({ city }) => ({ city: city.trim() }) },
  });
}

export function takesCallbacksOfAnAgent(agent: ToolLoopAgentSettings<never, typeof tools>) {
  const { onEnd, onStepEnd, onStart, onError, onAbort, onToolExecutionEnd } = agent;
  return createApprovalFlow({
    store,
    model,
    tools,
    ...{ onEnd, onStepEnd, onStart, onError, onAbort, onToolExecutionEnd },
    onQuestion: ({ question, chatId }) => console.info(chatId, question.toolName),
    onAnswer: async ({ answer }) => console.info(answer.by.name, answer.approved),
  });
}

export function typesTheEventsOfCallbacks() {
  return createApprovalFlow({
    store,
    model,
    tools,
    onEnd: ({ messages, usage, steps, chatId, runId }) =>
      console.info(chatId, runId, messages.length, usage.inputTokens, steps.at(-1)?.text),
    onToolExecutionStart: ({ toolCall }) => {
      if (!toolCall.dynamic && toolCall.toolName === 'pay') console.info(toolCall.input.amount.toFixed(2));
    },
    onError: async ({ error }) => (error instanceof TypeError ? undefined : { retry: true }),
    // @ts-expect-error a question has no `tool`
    onQuestion: ({ question }) => console.info(question.tool),
  });
}

export function refusesWrongSettings() {
  // @ts-expect-error there is no such effort
  createApprovalFlow({ store, model, tools, reasoning: 'hihg' });
  // @ts-expect-error there is no such tool
  createApprovalFlow({ store, model, tools, toolOrder: ['wether'] });
  // @ts-expect-error there is no such tool
  createApprovalFlow({ store, model, tools, timeout: { tools: { wetherMs: 1 } } });
  // @ts-expect-error a flow serves many chats, and is stopped by chat
  createApprovalFlow({ store, model, tools, abortSignal: AbortSignal.timeout(1) });
  return createApprovalFlow({
    store,
    model,
    tools,
    // @ts-expect-error a refinement returns what the tool takes
    experimental_refineToolInput: { weather: () => ({ town: 'Oslo' }) },
  });
}
