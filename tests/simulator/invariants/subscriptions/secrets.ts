import { type Invariant, tally } from '../invariant.ts';

/** No payload has a secret argument. Only edited calls have one: `note`, which is always the same. */
export const subscriptionSecrets: Invariant = {
  name: 'no subscriber receives a secret',
  check(history) {
    const { verify, result } = tally();
    const secret: ReadonlySet<string> = new Set(history.profile.subscriptions?.secret);
    for (const { event, subscriber } of history.deliveries) {
      if (!('question' in event.data)) continue;
      const { question } = event.data;
      const { input, toolName } = question.answer
        ? { ...question, ...question.answer }
        : { ...question, input: undefined };
      if (!secret.has(toolName.split('/').at(-1) ?? '') || input === undefined) continue;
      const isLeaked = JSON.stringify(question).includes('"edited"');
      verify(isLeaked && `${subscriber} was sent ${JSON.stringify(question.answer)}`);
    }
    return result();
  },
};
