import { strike } from '../../log/redaction.ts';
import type { Call } from '../../log/turn/turn.ts';
import {
  type Clock,
  canonicalJson,
  errorPlace,
  isRecord,
  type JsonObject,
  type JsonValue,
  type Preview,
  type RecordedPreview,
  redact,
  redacted,
  type Secrets,
  toJson,
} from '../../protocol/index.ts';
import { effectSchema } from '../../protocol/wire/preview.ts';
import { runtime } from '../../runtime/runtime.ts';
import type { TurnFacts } from '../../settings/call/call-context.ts';
import { detailsOf } from '../../settings/tools/tool-details.ts';
import { parseInput, type Tools } from '../call/input/parse-input.ts';

/** The person waits for the question during this time. */
const longestMs = 3_000;
/** In characters of JSON: each question contains it, in the log and in lists. */
const longestEffect = 32_768;

export type Previewing = Tools & TurnFacts & { readonly clock: Clock };

/**
 * The effect of a call with these arguments, redacted; nothing without `preview`. Failures are logged without arguments.
 *
 * @source ADR 0040
 */
export async function makePreview(
  previewing: Previewing,
  { requested }: Pick<Call, 'requested'>,
  input: JsonValue = requested.input,
): Promise<RecordedPreview | undefined> {
  const { settings, chatId } = previewing;
  const { toolCallId, toolName, secrets } = requested;
  const { preview, previewRequired } = detailsOf(settings, toolName);
  if (!preview) return undefined;
  try {
    const given = await effectOf(previewing, requested, input, preview);
    if (given === undefined && !previewRequired) return undefined;
    const effect = effectSchema.parse(redactEffect(toJson(given), input, secrets));
    const text = canonicalJson(effect);
    if (text.length > longestEffect) throw new RangeError('The preview is too long.');
    return { state: 'made', digest: runtime.digest(text).slice(0, 22), ...effect };
  } catch (error) {
    const facts = { chatId, toolCallId, toolName, error: errorPlace(error) };
    settings.logger?.error(
      '`preview` of a tool failed. The question says that the effect is not known.',
      facts,
    );
    return { state: 'failed', required: previewRequired ? true : undefined };
  }
}

async function effectOf(
  { clock, principal, chatId, ...tools }: Previewing,
  requested: Call['requested'],
  input: JsonValue,
  preview: (input: never, context: TurnFacts & { abortSignal: AbortSignal }) => unknown,
): Promise<Preview | undefined> {
  const parsing = await parseInput(tools, requested, input);
  if (!parsing.fits) throw parsing.error;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const limit = new AbortController();
  const cancel = clock.after(longestMs, () => {
    const error = new DOMException(`\`preview\` took longer than ${longestMs} ms.`, 'TimeoutError');
    limit.abort(error);
    reject(error);
  });
  try {
    const context = { principal, chatId, abortSignal: limit.signal };
    return (await Promise.race([preview(parsing.value as never, context), late])) as Preview | undefined;
  } finally {
    cancel();
  }
}

/**
 * The paths of secret outputs refer to a different value, so only their last key is used: columns of that
 * name are hidden. If the whole output is secret, the whole effect is, which makes the preview fail.
 */
function redactEffect(
  effect: JsonValue,
  input: JsonValue,
  { input: given, output = [] }: Secrets = {},
): unknown {
  if (output.includes('')) return redacted;
  const columns = output.map((path) => `*.${path.slice(path.lastIndexOf('.') + 1)}`);
  const parts = isRecord(effect) && Array.isArray(effect.parts) ? effect.parts : undefined;
  const shown = parts?.map((part: JsonValue) =>
    isRecord(part) && part.rows !== undefined
      ? { ...part, rows: redact(part.rows as JsonValue, columns) }
      : part,
  );
  return strike(shown ? { ...(effect as JsonObject), parts: shown } : effect, input, given);
}
