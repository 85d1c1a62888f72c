import { CountersignError } from '../../../protocol/index.ts';
import { makePreview } from '../../../run/preview/make-preview.ts';
import { currentPreview } from '../../../run/preview/remake-preview.ts';
import { detailsOf } from '../../../settings/tools/tool-details.ts';
import type { Approving, Found } from '../answering.ts';

/**
 * Refuses the approval of a call whose effect is not the one that the answer names, and of one whose required effect is not
 * known. An answer that names no effect is accepted if none is required. Once the chat has moved on, no effect is recorded.
 *
 * @returns the digest of the answer, if it is that of the effect; anything else that it names is not worth recording
 * @throws CountersignError `preview-changed`; nothing is recorded of the answer, and the question has the new effect;
 *   `rate-limited`
 * @source ADR 0040
 */
export async function requireEffect(answering: Approving): Promise<Found | undefined> {
  const { engine, head, call, prepared, principal, answer } = answering;
  const { approvalId, previewDigest } = answer;
  const { preview, previewRequired = false } = detailsOf(engine.settings, call.requested.toolName);
  if (!preview || (previewDigest === undefined && !previewRequired)) return undefined;
  const beforeMaking = () => engine.previewLimit.take(principal);
  if (prepared?.written) beforeMaking();
  const effect = prepared?.written
    ? await makePreview(engine, call, prepared.written.input)
    : (await currentPreview(engine, head, call, beforeMaking))?.preview;
  if (previewRequired && effect?.state === 'failed') {
    throw new CountersignError(
      'preview-changed',
      `The effect of question ${approvalId} could not be determined, so it cannot be approved now. Try again later, or deny it.`,
      { approvalId },
    );
  }
  // An effect that cannot be determined blocks nothing unless it is required.
  if (previewDigest === undefined || effect?.state !== 'made') return undefined;
  if (effect.digest === previewDigest) return { previewDigest };
  throw new CountersignError(
    'preview-changed',
    `The effect of question ${approvalId} has changed since it was shown. Nothing was run. Review it, then answer again.`,
    { approvalId },
  );
}
