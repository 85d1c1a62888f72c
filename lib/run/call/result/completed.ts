import { redactParsed } from '../../../log/redaction.ts';
import type { Call } from '../../../log/turn/turn.ts';
import { type EventBody, jsonText } from '../../../protocol/index.ts';
import { runtime } from '../../../runtime/runtime.ts';
import { isLargeResult } from '../../../settings/tools/large-result.ts';
import { recordedOutput } from '../../../settings/tools/recorded-output.ts';
import { modelOutputOf, summarizeOutput, toolNamed } from '../../../settings/tools/tool-details.ts';
import type { Attempt } from '../attempt.ts';
import { sentenceOf } from '../error-sentence.ts';
import type { Execution } from '../run-tool.ts';
import type { KeptResult } from './keep-result.ts';

const defaultOutputBytes = 4 * 1024 * 1024;
const longOutputBytes = 64 * 1024;

const returnLess =
  'It must return a part of it, a stream (`largeResult`), or a reference such as an id or an address.';

type Result = Pick<Extract<Attempt, { type: 'output' }>, 'output' | 'parsed' | 'large'>;

/** The event that ends a call with this output. @param durationMs `undefined` if it was not measured */
export async function completed(
  { settings, call, input }: Pick<Execution, 'settings' | 'call' | 'input'>,
  { output, parsed, large }: Result,
  durationMs: number | undefined,
): Promise<EventBody> {
  const { toolCallId, toolName, secrets } = call.requested;
  if (large) return completedLarge(call, large, durationMs);
  if (isLargeResult(output)) {
    return withoutOutput(call, 'its large result did not come from `execute`, and was not kept.', durationMs);
  }
  const text = jsonText(output);
  const bytes = runtime.utf8Length(text);
  const mostBytes = settings.maxOutputBytes ?? defaultOutputBytes;
  if (bytes > mostBytes) {
    const problem = `its result has ${bytes} bytes, more than the ${mostBytes} that are kept.`;
    return withoutOutput(call, problem, durationMs, returnLess);
  }
  // Each pass over a long result takes milliseconds.
  if (bytes > longOutputBytes) await runtime.turnOfEventLoop();
  const plain = recordedOutput(settings, { toolName, toolCallId }, text);
  const summary = summarizeOutput(settings, toolName, plain, redactParsed(parsed, input, secrets?.input));
  try {
    const modelOutput = await modelOutputOf(
      toolNamed(settings, toolName),
      { toolCallId, input: parsed },
      output,
      plain,
    );
    if (bytes > longOutputBytes) await runtime.turnOfEventLoop();
    return { type: 'tool-completed', toolCallId, output: plain, modelOutput, durationMs, ...summary };
  } catch (error) {
    // `toModelOutput` failed after the effect. The call has succeeded, so the model must not get a failed call.
    const text = `The tool ran, but its result could not be prepared for the model: ${sentenceOf(error)}`;
    const modelOutput = { type: 'error-text' as const, value: text };
    return { type: 'tool-completed', toolCallId, output: plain, modelOutput, durationMs, ...summary };
  }
}

function completedLarge(call: Call, large: KeptResult, durationMs: number | undefined): EventBody {
  if ('problem' in large) return withoutOutput(call, large.problem, durationMs);
  const { toolCallId } = call.requested;
  const { summary, storedText } = large;
  const modelOutput = { type: 'json' as const, value: { summary, bytes: storedText.bytes } };
  return { type: 'tool-completed', toolCallId, ...large, modelOutput, durationMs };
}

/** Ends a call whose result is not kept. It has succeeded. @param advice what the tool should return, for the model */
function withoutOutput(
  { requested: { toolCallId, toolName } }: Call,
  problem: string,
  durationMs: number | undefined,
  advice?: string,
): EventBody {
  const summary = `${toolName} ran, but ${problem}`;
  const value = advice === undefined ? summary : `${summary} ${advice}`;
  return {
    type: 'tool-completed',
    toolCallId,
    output: null,
    modelOutput: { type: 'error-text', value },
    durationMs,
    summary,
    resultCount: 0,
  };
}
