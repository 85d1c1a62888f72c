import { CountersignError, canonicalJson, redact } from '../../../protocol/index.ts';
import { writtenJson } from '../../../protocol/safe-json.ts';
import { refusedByPause } from '../../../run/call/paused-calls.ts';
import { isOutdated } from '../../../run/question/outdated.ts';
import type { Answering, Approving, Found } from '../answering.ts';
import type { AskAgain } from '../outcome.ts';

/** @throws CountersignError `paused` @source ADR 0023 */
export async function refuseWhilePaused({ engine, question }: Approving): Promise<undefined> {
  await engine.pauses.ready();
  const pause = engine.pauses.of(question.toolName);
  if (pause) throw refusedByPause(question, pause);
}

/**
 * The arguments that were shown, or their digest, must be those of the question.
 *
 * @throws CountersignError `input-mismatch`
 */
export function refuseIfNotShown({ question, call, answer }: Answering): undefined {
  const { toolCallId, secrets } = call.requested;
  const { approvalId, digest, shownInput } = answer;
  if (digest !== undefined && digest !== question.digest) {
    throw new CountersignError(
      'input-mismatch',
      `Question ${approvalId} is not the one that was shown. Read it again.`,
      { approvalId, toolCallId },
    );
  }
  if (shownInput === undefined) return undefined;
  // A client's own call is shown as it runs, every other call as the model wrote it.
  const asked = [question.input, question.runsAs ?? question.input].map(canonicalJson);
  const shown = writtenJson(shownInput, 'The shown input');
  if (asked.includes(canonicalJson(redact(shown, secrets?.input)))) return undefined;
  throw new CountersignError(
    'input-mismatch',
    `The arguments shown for question ${approvalId} are not those that were asked about. Reload and answer again.`,
    { approvalId, toolCallId },
  );
}

/** A tool that has changed since the question was asked is asked about again. @source ADR 0020 */
export async function askAgainIfOutdated({ engine, call }: Approving): Promise<AskAgain | undefined> {
  return (await isOutdated(engine, call)) ? { type: 'ask-again', why: 'tool-changed' } : undefined;
}

/** Reads what the approval would run, by the answer's kind. @throws CountersignError `invalid-request` @source ADR 0020 */
export async function prepareArguments(answering: Approving): Promise<Found | AskAgain> {
  const prepared = await answering.answer.prepare(answering);
  return 'type' in prepared ? prepared : { prepared };
}
