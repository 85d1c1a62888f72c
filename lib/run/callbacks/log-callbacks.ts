import type { ChatHead, FlowStore } from '../../log/store/index.ts';
import { foldTurn } from '../../log/turn/fold-turn.ts';
import type { Turn } from '../../log/turn/turn.ts';
import type { ApprovalId, FlowEvent, RunId } from '../../protocol/index.ts';
import { noRights } from '../../rights/rights-to.ts';
import type { Place } from '../../settings/call/callbacks.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { storedChat } from '../../views/chat/stored-chat.ts';
import { stepRecords } from '../step/step-records.ts';
import type { CalledBack } from './callbacks.ts';

/** Calls the callbacks about durable questions, answers and ends, on the instance that wrote them. @source ADR 0029 */
export function createLogCallbacks(
  { settings, store }: { readonly settings: FlowSettings; readonly store: FlowStore },
  callbacks: CalledBack,
): (head: ChatHead, event: FlowEvent) => void {
  async function questionIn({ approvalId }: { readonly approvalId: ApprovalId }, place: Place) {
    const question = await store.questions.read(approvalId);
    return question && { ...place, question };
  }

  /** The log as of a head. Later events may be there already. */
  async function logOf(head: ChatHead, after: number): Promise<readonly FlowEvent[]> {
    return (await store.events.read(head.id, after)).filter(({ seq }) => seq <= head.seq);
  }

  async function abortIn(head: ChatHead, reason: string, place: Place) {
    const steps = stepRecords(foldTurn(await logOf(head, head.turnSeq - 1)), settings);
    return { ...place, callId: place.runId, steps, reason };
  }

  async function endIn(head: ChatHead, finishReason: string, place: Place) {
    const log = await logOf(head, 0);
    const turn = foldTurn(log.filter(({ seq }) => seq >= head.turnSeq));
    const { messages } = storedChat(log, { chat: head, emitFrom: 0, replay: true, rights: () => noRights });
    return { ...place, ...(await endOf(settings, turn, place.runId, finishReason)), messages };
  }

  return (head, event) => {
    if (event.runId === undefined) return;
    const place = { chatId: head.id, runId: event.runId };
    switch (event.type) {
      case 'approval-requested':
        return callbacks.callWith('onQuestion', head.id, () => questionIn(event, place));
      case 'approval-answered':
        return callbacks.callWith('onAnswer', head.id, async () => {
          const asked = await questionIn(event, place);
          return asked?.question.answer && { ...asked, answer: asked.question.answer };
        });
      case 'run-cancelled':
        return callbacks.callWith('onAbort', head.id, () => abortIn(head, event.reason, place));
      case 'run-completed':
        return callbacks.callWith('onEnd', head.id, () => endIn(head, event.finishReason, place));
      default:
    }
  };
}

async function endOf(settings: FlowSettings, turn: Turn, callId: RunId, finishReason: string) {
  const { output, tools } = settings;
  const steps = stepRecords(turn, settings).slice(turn.keptSteps);
  const finalStep = steps.at(-1);
  if (!finalStep) return { callId, steps, finishReason, usage: usageOf(steps) };
  const all = <Name extends 'content' | 'toolCalls' | 'toolResults'>(name: Name) =>
    steps.flatMap((step): unknown[] => step[name]);
  const { text, response, stepNumber, model, toolsContext, runtimeContext } = finalStep;
  const usage = usageOf(steps);
  return {
    callId,
    stepNumber,
    model,
    toolsContext,
    runtimeContext,
    tools,
    content: all('content'),
    text,
    reasoning: [],
    reasoningText: undefined,
    files: [],
    sources: [],
    toolCalls: all('toolCalls'),
    staticToolCalls: steps.flatMap((step) => step.staticToolCalls),
    dynamicToolCalls: steps.flatMap((step) => step.dynamicToolCalls),
    toolResults: all('toolResults'),
    staticToolResults: steps.flatMap((step) => step.staticToolResults),
    dynamicToolResults: steps.flatMap((step) => step.dynamicToolResults),
    finishReason,
    rawFinishReason: undefined,
    usage,
    totalUsage: usage,
    warnings: [],
    request: {},
    response,
    providerMetadata: undefined,
    responseMessages: steps.flatMap((step) => step.response.messages),
    steps,
    finalStep,
    output: output ? await parsed(output, finalStep) : undefined,
  };
}

type StepRecord = ReturnType<typeof stepRecords>[number];

async function parsed(output: NonNullable<FlowSettings['output']>, step: StepRecord): Promise<unknown> {
  const { text, response, usage, finishReason } = step;
  const complete = output.parseCompleteOutput({ text }, { response, usage, finishReason });
  return complete.catch(() => undefined);
}

function usageOf(steps: readonly StepRecord[]) {
  const sum = (of: (step: StepRecord) => number | undefined) =>
    steps.reduce((total, step) => total + (of(step) ?? 0), 0);
  return {
    inputTokens: sum(({ usage }) => usage.inputTokens),
    outputTokens: sum(({ usage }) => usage.outputTokens),
    totalTokens: sum(({ usage }) => usage.totalTokens),
  };
}
