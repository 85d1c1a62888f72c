import { instructionsFor } from '../actors/call-options.ts';
import type { Prompted, Written } from '../history.ts';
import { type Invariant, tally } from './invariant.ts';

/** Each prompt is prepared from the record of its turn: also after an answer, a take-over or a restart (ADR 0030). */
export const callOptions: Invariant = {
  name: 'a run is prepared from the call options of its turn',
  check(history) {
    const { verify, result } = tally();
    for (const prompted of history.prompts) {
      const { chatId, instance, prompt } = prompted;
      const said = prompt.find(({ role }) => role === 'system')?.content;
      const expected = expectedFor(history.logOf(chatId), prompted);
      if (!history.profile.callOptions || expected === undefined) continue;
      verify(said !== expected && `${instance} prepared ${String(said)} instead of ${expected}`);
    }
    return result();
  },
};

/** What its run recorded at the start of its turn; `undefined` if nothing that came of the prompt became durable. */
function expectedFor(log: readonly Written[], { chatId, instance, moment }: Prompted): string | undefined {
  const next = log.find((written) => written.moment > moment && written.by === instance)?.event;
  const isOfRun =
    next?.type === 'step-started' || next?.type === 'step-finished' || next?.type === 'text-delta';
  if (!isOfRun) return undefined;
  const place = log.findIndex(({ event }) => event.type === 'run-started' && event.runId === next.runId);
  const turn = log.slice(0, place + 1).findLast(({ event }) => event.type === 'run-started' && event.asker);
  if (turn?.event.type !== 'run-started' || !turn.event.asker) return undefined;
  const { asker, callOptions: recorded } = turn.event;
  return instructionsFor(recorded as never, asker.id, chatId);
}
