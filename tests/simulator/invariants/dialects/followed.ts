import { type Invariant, tally } from '../invariant.ts';
import { settledReadings } from './settled.ts';
import { rulesOf } from './shown/index.ts';
import type { DialectRules, Shown } from './shown/shown.ts';
import type { CallState, TurnFacts } from './turn-facts.ts';

/**
 * A reader that reconnects as its dialect specifies shows the text of the turn once, each call with its end, and nothing as
 * running after the end of the turn.
 */
export const dialectsFollow: Invariant = {
  name: 'a dialect reader that resumes shows the stored text and outcomes, once',
  check(history) {
    const { verify, result } = tally();
    for (const { reading, facts, what } of settledReadings(history, 'follow')) {
      const rules = rulesOf(reading.dialect);
      const shown = rules.shownBy(reading, facts);
      const unread = reading.begun.filter((runId) => !reading.over.has(runId));
      const wrong = wrongCalls(shown, facts, rules);
      verify(
        facts.isOver && unread.length > 0 && `${what} never ended: ${unread.join(', ')}`,
        shown.text !== facts.text &&
          `${what} shows ${JSON.stringify(shown.text)}, stored is ${JSON.stringify(facts.text)}`,
        wrong.length > 0 && `${what} shows ${wrong.join(', ')}`,
      );
    }
    return result();
  },
};

function wrongCalls({ calls }: Shown, facts: TurnFacts, { mayBeAbsent }: DialectRules): string[] {
  const wrong: string[] = [];
  for (const [id, states] of facts.ends) {
    const call = facts.called.get(id);
    const shown = calls.get(id);
    if (!call || (shown === undefined && mayBeAbsent?.(id, facts))) continue;
    if (!fits(shown, states)) wrong.push(`${id} (${call.toolName}) as ${shown}, which is ${[...states]}`);
  }
  for (const [id, shown] of calls) {
    if (shown === 'open' && facts.isOver && !facts.ends.has(id)) wrong.push(`${id} as open after the end`);
  }
  return wrong;
}

function fits(shown: CallState | 'ended' | 'open' | undefined, states: ReadonlySet<CallState>): boolean {
  if (shown === undefined || shown === 'open') return false;
  return shown === 'ended' ? states.has('failed') || states.has('stopped') : states.has(shown);
}
