import { instructionsFor } from '../actors/call-options.ts';
import type { Written } from '../history.ts';
import { type Invariant, tally } from './invariant.ts';

/**
 * Each durable step was prepared from the record of its turn: also after an answer, a take-over or a restart (ADR 0030). An
 * instance that stood still may ask a model for a run that it has lost. Nothing of that becomes durable, so of the prompts
 * that an instance made for a chat before a step, one must be that of the step.
 */
export const callOptions: Invariant = {
  name: 'a run is prepared from the call options of its turn',
  check(history) {
    const { verify, result } = tally();
    const before = new Map<Written, { chatId: string; said: Set<unknown> }>();
    for (const { chatId, instance, prompt, moment } of history.profile.callOptions ? history.prompts : []) {
      const next = history
        .logOf(chatId)
        .find(({ event, by, moment: at }) => at > moment && by === instance && event.type === 'step-started');
      if (!next) continue;
      const prompts = before.get(next) ?? { chatId, said: new Set() };
      prompts.said.add(prompt.find(({ role }) => role === 'system')?.content);
      before.set(next, prompts);
    }
    for (const [next, { chatId, said }] of before) {
      const expected = expectedFor(history.logOf(chatId), chatId, next);
      if (expected === undefined) continue;
      verify(!said.has(expected) && `${next.by} prepared ${[...said].join(', ')} instead of ${expected}`);
    }
    return result();
  },
};

/** What the run of an event recorded at the start of its turn. */
function expectedFor(
  log: readonly Written[],
  chatId: string,
  { event: { runId } }: Written,
): string | undefined {
  const place = log.findIndex(({ event }) => event.type === 'run-started' && event.runId === runId);
  const turn = log.slice(0, place + 1).findLast(({ event }) => event.type === 'run-started' && event.asker);
  if (turn?.event.type !== 'run-started' || !turn.event.asker) return undefined;
  const { asker, callOptions: recorded } = turn.event;
  return instructionsFor(recorded as never, asker.id, chatId);
}
