import { type Invariant, tally } from './invariant.ts';

/** Each call has its own key, unique across all chats and the same at each attempt (ADR 0019). */
export const keys: Invariant = {
  name: 'an idempotency key belongs to one call, at each of its attempts',
  check({ executions, erased, ranAfterErasure }) {
    const { verify, result } = tally();
    const callOf = new Map<string, string>();
    const keyOf = new Map<string, string>();
    for (const execution of executions) {
      const { chatId, toolCallId, idempotencyKey, moment } = execution;
      // An attempt of a call whose chat was erased meanwhile: its process has not learned of that yet.
      if (ranAfterErasure(execution)) continue;
      const erasures = erased.filter((each) => each.chatId === chatId && each.moment < moment).length;
      const call = `${chatId}/${toolCallId}${erasures > 0 ? ` after ${erasures} erasures` : ''}`;
      const other = callOf.get(idempotencyKey) ?? call;
      const key = keyOf.get(call) ?? idempotencyKey;
      callOf.set(idempotencyKey, other);
      keyOf.set(call, key);
      verify(
        other !== call && `${call} and ${other} have one key: ${key}`,
        key !== idempotencyKey && `${call} has two keys: ${key} and ${idempotencyKey}`,
      );
    }
    return result();
  },
};
