import type { DialectReading } from '../../dialects/reading.ts';
import type { History } from '../../history.ts';
import { type TurnFacts, turnFacts } from './turn-facts.ts';

/** Longer than a notification and the read after it take, in virtual milliseconds. */
const travelMs = 2_500;

/** A reading, and what the log says about its turn. */
export type SettledReading = {
  readonly reading: DialectReading;
  readonly facts: TurnFacts;
  readonly what: string;
};

/**
 * The readings of turns that are still in the log, and had reached their readers at the end: each that its dialect still
 * serves.
 */
export function settledReadings(history: History, asks: DialectReading['asks']): SettledReading[] {
  const { dialectReadings, dialectsReadAt, logs } = history;
  if (dialectsReadAt === undefined) return [];
  return dialectReadings.flatMap((reading) => {
    const { chatId, messageId, left, moment, dialect, who } = reading;
    const log = logs.get(chatId);
    if (reading.asks !== asks || left || !log || history.isGone(chatId, moment)) return [];
    if ((log.at(-1)?.at ?? 0) > dialectsReadAt - travelMs) return [];
    const facts = turnFacts(log, messageId);
    return facts
      ? [{ reading, facts, what: `${who}'s ${asks} of ${chatId} over ${dialect} (${messageId})` }]
      : [];
  });
}
