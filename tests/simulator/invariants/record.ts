import { type Invariant, tally } from './invariant.ts';

/** With a key, the whole record verifies, unless somebody wrote to the database directly. */
export const record: Invariant = {
  name: 'the record verifies',
  check(history) {
    const { verify, result } = tally();
    const forged = new Set(history.forged.map(({ chatId }) => chatId));
    if (history.record === undefined) return result();
    const faults = history.record.filter(({ chatId }) => chatId === undefined || !forged.has(chatId));
    verify(faults.length > 0 && `the record does not verify: ${JSON.stringify(faults[0])}`);
    const { vanished } = history;
    if (vanished) {
      const isFound = vanished.found.some(({ chatId }) => chatId === vanished.chatId);
      verify(!isFound && `${vanished.chatId} was deleted from the database, and the record does not say so`);
    }
    return result();
  },
};
