import type { Call } from '../../../log/turn/turn.ts';
import type { JsonValue, StoredText } from '../../../protocol/index.ts';
import type { FlowSettings } from '../../../settings/flow-settings.ts';
import { summaryFrom } from '../../../settings/tools/author-texts.ts';
import type { LargeResult } from '../../../settings/tools/large-result.ts';
import { discard, type KeepText } from './keep-text.ts';

/** The recorded facts of a large result, or why its text was not kept, as the end of a sentence. */
export type KeptResult =
  | {
      readonly summary: string;
      readonly resultCount: number;
      readonly output: JsonValue;
      readonly storedText: StoredText;
    }
  | { readonly problem: string };

/** Stores the text of a large result. @param id unique for each attempt @throws the error of the stream @source ADR 0042 */
export async function keepResult(
  { settings, call, keepText }: { settings: FlowSettings; call: Call; keepText: KeepText },
  id: string,
  { summary, resultCount, text }: LargeResult,
  abortSignal: AbortSignal,
): Promise<KeptResult> {
  const { toolName, secrets } = call.requested;
  const isSecret = (secrets?.output?.length ?? 0) > 0;
  const kept = isSecret
    ? await discard(text, 'it has secret outputs')
    : await keepText(id, text, abortSignal);
  if ('problem' in kept) return { problem: `${kept.problem}, so its large result was not kept.` };
  const { bytes, parts, sha256 } = kept;
  const given = summaryFrom(settings, toolName, () => ({ summary, resultCount }));
  const facts = {
    summary: given.summary ?? `A text of ${bytes} bytes.`,
    resultCount: given.resultCount ?? 1,
  };
  return { ...facts, output: { summary: facts.summary, bytes, sha256 }, storedText: { id, parts, bytes } };
}
