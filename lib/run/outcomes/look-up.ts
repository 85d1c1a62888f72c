import type { Call } from '../../log/turn/turn.ts';
import { errorFacts, isRecord } from '../../protocol/index.ts';
import { detailsOf, timeLimitOf } from '../../settings/tools/tool-details.ts';
import type { LookupResult } from '../../settings/tools/tool-settings.ts';
import { createAsk } from '../asking/create-ask.ts';
import { keyOf } from '../call/execution-of.ts';
import { contextOf } from '../call/run-tool.ts';
import { createDataWriter } from '../data/data-writer.ts';
import type { Run, RunTranscript } from '../run.ts';

const defaultLimitMs = 10_000;

/** The tool's `lookup` for a call whose owner is gone. Never throws. @param input as the tool got it @source ADR 0019 */
export async function lookUp(
  run: Run,
  call: Call,
  transcript: RunTranscript,
  input: unknown,
): Promise<LookupResult> {
  const { settings, clock, chatId, principal, stops, logger } = run;
  const { toolCallId, toolName } = call.requested;
  const { lookup } = detailsOf(settings, toolName);
  const timeoutMs = timeLimitOf(settings, toolName) ?? defaultLimitMs;
  if (!lookup) return undefined;
  const idempotencyKey = keyOf(run, call, transcript);
  const writer = createDataWriter((written) => run.write(written, toolCallId));
  const ask = createAsk({ settings, call }, () => Promise.resolve({ action: 'cancel' }));
  const begun = new AbortController();
  const leave = stops.beginCall(toolCallId, begun);
  const { promise: stopped, resolve: stop } = Promise.withResolvers<undefined>();
  const limit = new AbortController();
  const cancel = clock.after(timeoutMs, () => limit.abort(new DOMException('', 'TimeoutError')));
  const abortSignal = AbortSignal.any([begun.signal, limit.signal]);
  const onAbort = () => stop(undefined);
  if (abortSignal.aborted) onAbort();
  else abortSignal.addEventListener('abort', onAbort, { once: true });
  try {
    // A `lookup` that throws synchronously counts as one that rejects.
    const found = contextOf({ settings, call, chatId, principal, idempotencyKey, writer, ask }).then(
      (context) => lookup(idempotencyKey, { input: input as never, context, abortSignal }),
    );
    return parseResult(await Promise.race([found, stopped]));
  } catch (error) {
    logger.warn('A lookup failed, so the outcome of its call is unknown.', {
      chatId,
      toolCallId,
      toolName,
      error: errorFacts(error),
    });
    return undefined;
  } finally {
    cancel();
    leave();
  }
}

/** @throws Error for anything that is not a result */
function parseResult(found: unknown): LookupResult {
  if (found === undefined || found === null) return undefined;
  if (isRecord(found)) {
    const { outcome, output, error } = found;
    if (outcome === 'completed') return { outcome, output };
    if (outcome === 'failed' && typeof error === 'string') return { outcome, error };
    if (outcome === 'not-run') return { outcome };
  }
  throw new Error('`lookup` gave no result that is known: see `LookupResult`.');
}
