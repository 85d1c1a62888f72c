import { isDeepStrictEqual } from 'node:util';
import { type Invariant, tally } from '../invariant.ts';
import { settledReadings } from './settled.ts';
import { rulesOf } from './shown/index.ts';
import type { Shown } from './shown/shown.ts';
import type { TurnFacts } from './turn-facts.ts';

/** A client that reads a turn after its end shows the same as a client that followed it. */
export const dialectsReadAgain: Invariant = {
  name: 'a new dialect reader shows what the one that followed shows',
  check(history) {
    const { verify, result } = tally();
    const followed = settledReadings(history, 'follow');
    for (const { reading, facts, what } of settledReadings(history, 'fresh')) {
      const { dialect, chatId, messageId } = reading;
      const other = followed.find(
        (each) =>
          each.reading.dialect === dialect &&
          each.reading.chatId === chatId &&
          each.reading.messageId === messageId,
      );
      if (!other) continue;
      const { shownBy } = rulesOf(dialect);
      const [own, others] = [shownBy(reading, facts), shownBy(other.reading, facts)];
      verify(
        own.text !== others.text &&
          `${what} shows ${JSON.stringify(own.text)}, and the one that followed ${JSON.stringify(others.text)}`,
        !isDeepStrictEqual(settled(own, facts), settled(others, facts)) &&
          `${what} shows ${JSON.stringify(settled(own, facts))}, and the one that followed ${JSON.stringify(settled(others, facts))}`,
      );
    }
    return result();
  },
};

/** Leaves out outcomes that became known after the end. Only a stored message has them. */
function settled({ calls }: Shown, { resolvedLater }: TurnFacts): readonly (readonly [string, string])[] {
  return [...calls]
    .filter(([id]) => !resolvedLater.has(id))
    .sort(([one], [other]) => one.localeCompare(other));
}
