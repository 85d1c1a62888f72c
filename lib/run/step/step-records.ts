import type { StepResult, ToolSet } from 'ai';
import { type Call, ownCalls, ownName, type Turn } from '../../log/turn/turn.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';

type Contexts = Pick<FlowSettings, 'runtimeContext' | 'toolsContext'>;

/**
 * The turn's finished steps, for `stopWhen` and `prepareStep`. They are made from the log, in the same way
 * before and after a restart, and so hold what the log holds: step number, text, calls with their arguments as the
 * model gave them, results, finish
 * reason, usage and response messages. Request bodies, headers, warnings and timings are empty.
 *
 * @param contexts those of the run, which the log does not hold
 */
export function stepRecords(turn: Turn, contexts: Contexts): StepResult<ToolSet>[] {
  return turn.steps.flatMap(({ step, finished }) => {
    if (!finished) return [];
    const own = ownCalls(turn).filter((call) => call.step === step && !call.replacedBy);
    const toolCalls = own.map((call) => ({ type: 'tool-call' as const, ...factsOf(call) }));
    const toolResults = own.flatMap((call) =>
      call.end?.type === 'tool-completed'
        ? [{ type: 'tool-result' as const, ...factsOf(call), output: call.end.output }]
        : [],
    );
    const text = finished.messages
      .flatMap((message) =>
        message.role === 'assistant' && typeof message.content !== 'string' ? message.content : [],
      )
      .flatMap((part) => (part.type === 'text' ? [part.text] : []))
      .join('');
    const { inputTokens, outputTokens } = finished.usage;
    const record = {
      callId: '',
      stepNumber: step,
      model: { provider: '', modelId: '' },
      toolsContext: contexts.toolsContext ?? {},
      runtimeContext: contexts.runtimeContext ?? {},
      content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...toolCalls, ...toolResults],
      text,
      reasoning: [],
      reasoningText: undefined,
      files: [],
      sources: [],
      toolCalls,
      staticToolCalls: toolCalls.filter((call) => !call.dynamic),
      dynamicToolCalls: toolCalls.filter((call) => call.dynamic),
      toolResults,
      staticToolResults: toolResults.filter((result) => !result.dynamic),
      dynamicToolResults: toolResults.filter((result) => result.dynamic),
      finishReason: finished.finishReason,
      rawFinishReason: undefined,
      usage: { inputTokens, outputTokens, totalTokens: (inputTokens ?? 0) + (outputTokens ?? 0) },
      performance: {},
      warnings: undefined,
      request: {},
      response: { id: '', timestamp: new Date(finished.at), modelId: '', messages: finished.messages },
      providerMetadata: undefined,
    };
    // The SDK's type requires typed calls and timings, which the log does not contain.
    return [record as unknown as StepResult<ToolSet>];
  });
}

function factsOf({ requested }: Call) {
  const { toolCallId, input, dynamic, parent } = requested;
  // Calls of subagents are dynamic for pages, whose tools these are not. Their own model knows these tools.
  const isDynamic = (dynamic && parent === undefined) || undefined;
  return { toolCallId, toolName: ownName(requested), input, dynamic: isDynamic };
}
