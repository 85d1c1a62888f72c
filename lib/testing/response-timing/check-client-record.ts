import type { UIMessageChunk } from 'ai';
import { canonicalJson } from '../../protocol/index.ts';
import { callIdOf, isOutcome, isQuestion, lifecycleOf } from './chunk-kinds.ts';
import type { TimedTurn } from './timed-turn.ts';
import type { TimingOptions } from './violation.ts';

/**
 * The rules about the server's own record: a repeated answer neither runs nor asks anything again, and the client's
 * claims about text and approvals have no effect.
 *
 * @source T12
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
      message: `a repeated answer made ${chunk.type} of call ${id} happen again`,
      chunks: [chunk],
    });
  }
  for (const { index, chunks } of turn.responses) {
    for (const chunk of chunks) {
      const found = forged.find((text) => JSON.stringify(chunk).includes(text));
      if (found === undefined) continue;
      const message = `the client's own history was trusted: ${found}`;
      turn.violations.push({ rule: 'T12', response: index, message, chunks: [chunk] });
    }
  }
}

/** A text that identifies what a chunk reports: a question, a start or an outcome. Equal for repeated reports. */
function deedOf(chunk: UIMessageChunk): string | undefined {
  if (isQuestion(chunk) || isOutcome(chunk)) return canonicalJson(chunk);
  const change = lifecycleOf(chunk);
  return change?.phase === 'started' ? `started ${change.toolCallId} at ${change.at}` : undefined;
}
