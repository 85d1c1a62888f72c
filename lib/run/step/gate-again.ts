import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { isStepCount, type ModelMessage, streamText } from 'ai';
import {
  type EventBody,
  type EventOf,
  type Secrets,
  strikeOut,
  type ToolCallId,
} from '../../protocol/index.ts';
import { unobserved } from '../observing/observers.ts';
import { type Gates, gatesOf, type TurnTools } from './gate.ts';
import { recordCall } from './record-call.ts';
import { emptyContent, takeCallPart } from './step-content.ts';

type Request = Extract<EventBody, { type: 'tool-requested' }>;

/** A call that passes the gate again. */
export type RepeatedCall = Pick<EventOf<'tool-requested'>, 'toolName' | 'input' | 'secrets'>;

/**
 * Passes an earlier call through the SDK's own gate again, under another id: through `streamText`, with a model that makes
 * only this call. So each form of `toolApproval` and `needsApproval` works as in a step, and the arguments are checked
 * against the current schema. No provider is called.
 *
 * @param messages the model's input before it made the call
 * @returns the call as it is requested now, and its end, if the gate or the schema gives it one
 * @source ADR 0020
 */
export async function gateAgain(
  tools: TurnTools,
  call: RepeatedCall,
  toolCallId: ToolCallId,
  messages: ModelMessage[],
): Promise<{ readonly request: Request; readonly end: EventBody | undefined }> {
  const gates = gatesOf(tools);
  const content = emptyContent(gates.failed);
  const { stream } = streamText({
    ...stepOf(tools, gates, messages),
    model: modelThatCalls(toolCallId, call),
    onError: () => {},
  });
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    takeCallPart(content, part);
  }
  const [toolCall] = content.toolCalls;
  if (!toolCall) throw new Error(`Call ${toolCallId} did not reach the gate.`);
  const { request, end } = await recordCall(tools, content, toolCall, toolCallId);
  return { request: keepSecrets(request, call), end };
}

/** The same call, asked about even if the gate would let it run. @source ADR 0036 */
export function askedAnyway(request: Request): Request {
  return request.gate.type === 'ask' ? request : { ...request, gate: { type: 'ask' } };
}

/** Values that were secret when the call was first made stay secret, whatever the current settings say. @source ADR 0011 */
function keepSecrets(request: Request, { input, secrets }: RepeatedCall): Request {
  if (!secrets) return request;
  const shown = (text: string) => strikeOut(text, input, secrets.input);
  const { gate, description } = request;
  return {
    ...request,
    description: description === undefined ? undefined : shown(description),
    ...('reason' in gate && gate.reason !== undefined
      ? { gate: { ...gate, reason: shown(gate.reason) } }
      : {}),
    secrets: {
      ...pathsOf('input', secrets, request.secrets),
      ...pathsOf('output', secrets, request.secrets),
    },
  };
}

function pathsOf(side: 'input' | 'output', ...all: (Secrets | undefined)[]): Secrets {
  const paths = new Set(all.flatMap((secrets) => secrets?.[side] ?? []));
  return paths.size === 0 ? {} : { [side]: [...paths] };
}

function stepOf({ settings }: TurnTools, { tools, toolApproval }: Gates, messages: ModelMessage[]) {
  return {
    tools,
    toolApproval,
    toolsContext: settings.toolsContext as never,
    runtimeContext: settings.runtimeContext,
    messages,
    maxRetries: 0,
    stopWhen: isStepCount(1),
    ...unobserved.sdk,
  };
}

function modelThatCalls(toolCallId: string, { toolName, input }: RepeatedCall): LanguageModelV4 {
  const tokens = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 };
  const parts: LanguageModelV4StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) },
    {
      type: 'finish',
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage: { inputTokens: tokens, outputTokens: { total: 0, text: 0, reasoning: 0 } },
    },
  ];
  return {
    specificationVersion: 'v4',
    provider: 'countersign.again',
    modelId: 'again',
    // It supports every URL, so the SDK fetches no attachments.
    supportedUrls: { '*/*': [/^/], '*': [/^/] },
    doStream: async () => ({ stream: streamOf(parts) }),
    doGenerate: () => Promise.reject(new Error('This model only streams.')),
  };
}

function streamOf(parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}
