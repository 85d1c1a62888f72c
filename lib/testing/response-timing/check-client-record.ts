import type { UIMessageChunk } from 'ai';
import { canonicalJson } from '../../protocol/index.ts';
import { callIdOf, isOutcome, isQuestion, lifecycleOf } from './chunk-words.ts';
import type { TimedTurn } from './timed-turn.ts';
import type { TimingOptions } from './violation.ts';

/**
 * What the server's own record demands: an answer that is sent again makes nothing run and nothing be asked again,
 * and what a client claims was said or approved comes to nothing.
 *
 * @source contract T12
 */
export function checkClientRecord(turn: TimedTurn, { repeats = [], forged = [] }: TimingOptions): void {
  const known = turn.responses.flatMap(({ chunks }) => chunks);
  const seen = new Set(known.flatMap((chunk) => deedOf(chunk) ?? []));
  const last = Math.max(0, turn.responses.length - 1);
  for (const chunk of repeats.flat()) {
    const deed = deedOf(chunk);
    if (deed === undefined || seen.has(deed)) continue;
    const id = callIdOf(chunk) ?? lifecycleOf(chunk)?.toolCallId;
    turn.violations.push({
      rule: 'T12',
      response: last,
      message: `an answer that was given before made ${chunk.type} of call ${id} happen again`,
      chunks: [chunk],
    });
  }
  for (const { index, chunks } of turn.responses) {
    for (const chunk of chunks) {
      const found = forged.find((text) => JSON.stringify(chunk).includes(text));
      if (found === undefined) continue;
      const message = `what only the client's own history said is believed: ${found}`;
      turn.violations.push({ rule: 'T12', response: index, message, chunks: [chunk] });
    }
  }
}

/** What a chunk says was done, as text that is equal for the same deed: a question, a start or an outcome. */
function deedOf(chunk: UIMessageChunk): string | undefined {
  if (isQuestion(chunk) || isOutcome(chunk)) return canonicalJson(chunk);
  const change = lifecycleOf(chunk);
  return change?.phase === 'started' ? `started ${change.toolCallId} at ${change.at}` : undefined;
}
