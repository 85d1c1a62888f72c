import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { Clock } from '../../protocol/index.ts';
import { endOf, type ScriptedPart, type ScriptedStep } from './scripted-step.ts';

type StreamPart = LanguageModelV4StreamPart;

/**
 * Plays one step as the parts that a provider would stream. Ids missing from the script are made of the numbers of the
 * step and the part (`call-0-2`), so that a test can name them.
 *
 * @throws the signal's reason as soon as it is aborted, also during a `wait`
 */
export async function* playScriptedStep(
  step: ScriptedStep,
  stepNumber: number,
  { signal, clock }: { signal: AbortSignal; clock: Clock },
): AsyncGenerator<StreamPart, void, void> {
  yield { type: 'stream-start', warnings: [] };
  yield { type: 'response-metadata', id: `response-${stepNumber}`, modelId: 'scripted' };
  for (const [index, part] of step.entries()) {
    signal.throwIfAborted();
    if ('wait' in part) {
      await unlessAborted(typeof part.wait === 'function' ? part.wait() : part.wait, signal);
    }
    if ('delayMs' in part) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const cancel = clock.after(part.delayMs, resolve);
      await unlessAborted(promise, signal).finally(cancel);
    }
    const isBegun = step.slice(0, index).some((other) => 'writes' in other && other.id === idOf(part));
    for (const chunk of streamPartsOf(part, `${stepNumber}-${index}`)) {
      if (isBegun && chunk.type === 'tool-input-start') continue;
      if (isBegun && chunk.type === 'tool-input-delta' && 'call' in part) continue;
      signal.throwIfAborted();
      yield chunk;
    }
  }
  signal.throwIfAborted();
  const { finishReason, raw, usage } = endOf(step);
  if (finishReason === 'never') return;
  yield { type: 'finish', finishReason: { unified: finishReason, raw }, usage };
}

function streamPartsOf(part: ScriptedPart, place: string): readonly StreamPart[] {
  if ('text' in part) {
    const block = { id: `text-${place}`, providerMetadata: part.providerMetadata };
    return [
      { type: 'text-start', ...block },
      ...deltasOf(part.text).map((delta) => ({ type: 'text-delta' as const, id: block.id, delta })),
      { type: 'text-end', ...block },
    ];
  }
  if ('reasoning' in part) {
    const block = { id: `reasoning-${place}`, providerMetadata: part.providerMetadata };
    return [
      { type: 'reasoning-start', ...block },
      ...deltasOf(part.reasoning).map((delta) => ({ type: 'reasoning-delta' as const, id: block.id, delta })),
      { type: 'reasoning-end', ...block },
    ];
  }
  if ('call' in part) {
    const toolCallId = part.id ?? `call-${place}`;
    const input = 'rawInput' in part ? part.rawInput : JSON.stringify(part.input ?? {});
    const { call: toolName, providerMetadata } = part;
    return [
      { type: 'tool-input-start', id: toolCallId, toolName },
      { type: 'tool-input-delta', id: toolCallId, delta: input },
      { type: 'tool-input-end', id: toolCallId },
      { type: 'tool-call', toolCallId, toolName, input, providerMetadata },
    ];
  }
  if ('writes' in part) {
    const { id, writes: toolName, input } = part;
    const deltas = deltasOf(input).map((delta) => ({ type: 'tool-input-delta' as const, id, delta }));
    return [{ type: 'tool-input-start', id, toolName }, ...deltas];
  }
  if ('providerCall' in part) {
    const toolCallId = part.id ?? `call-${place}`;
    const call = providerCall(toolCallId, part.providerCall, part);
    const result = part.result ?? part.failure;
    if (result === undefined) return [call];
    return [call, providerResult(toolCallId, part.providerCall, result, part.failure !== undefined)];
  }
  if ('providerQuestion' in part) {
    const toolCallId = part.id ?? `call-${place}`;
    const approvalId = part.approvalId ?? `provider-approval-${place}`;
    return [
      providerCall(toolCallId, part.providerQuestion, part),
      { type: 'tool-approval-request', approvalId, toolCallId },
    ];
  }
  if ('providerResult' in part) {
    return [providerResult(part.providerResult, part.tool, part.result, part.failed === true)];
  }
  if ('source' in part) {
    const { url, title, id = `source-${place}` } = part.source;
    return [{ type: 'source', sourceType: 'url', id, url, title }];
  }
  if ('file' in part) {
    const { mediaType, base64 } = part.file;
    return [{ type: 'file', mediaType, data: { type: 'data', data: base64 } }];
  }
  if ('error' in part) return [{ type: 'error', error: part.error }];
  return [];
}

function idOf(part: ScriptedPart): string | undefined {
  return 'call' in part || 'writes' in part ? part.id : undefined;
}

function deltasOf(text: string | readonly string[]): readonly string[] {
  return typeof text === 'string' ? [text] : text;
}

function providerCall(
  toolCallId: string,
  toolName: string,
  part: Extract<ScriptedPart, { providerCall: string } | { providerQuestion: string }>,
): StreamPart {
  return {
    type: 'tool-call',
    toolCallId,
    toolName,
    input: JSON.stringify(part.input ?? {}),
    providerExecuted: true,
    dynamic: true,
    providerMetadata: part.providerMetadata,
  };
}

function providerResult(
  toolCallId: string,
  toolName: string,
  result: Extract<StreamPart, { type: 'tool-result' }>['result'],
  isError: boolean,
): StreamPart {
  return { type: 'tool-result', toolCallId, toolName, result, isError, dynamic: true };
}

async function unlessAborted(awaited: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([awaited, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
