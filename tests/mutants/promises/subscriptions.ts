import type { PromiseMutant } from '../promise-mutant.ts';

/** Events for subscribers, and what happens to unanswered questions. */
export const subscriptionMutants: readonly PromiseMutant[] = [
  {
    name: 'a-subscriber-without-a-person-reads-errors',
    promise: '0043.8: A subscriber that may see no chat does not get the error of a turn.',
    file: 'lib/plugins/subscriptions/render-event.ts',
    find: 'const shown = maySeeChat ? { error: event.error } : {};',
    replace: 'const shown = { error: event.error };',
    suites: ['tests/contract/flow/subscription-events.test.ts', 'tests/adr/0043-subscriptions.test.ts'],
  },
  {
    name: 'a-lapsed-lease-writes-its-result',
    promise: '0043.7: One instance delivers at a time: what began before a gap is not written.',
    file: 'lib/plugins/subscriptions/hold-lease.ts',
    find: 'const held = term && now < term.until ? term :',
    replace: 'const held = term ? term :',
    suites: ['tests/contract/subscription-lease.test.ts'],
  },
  {
    name: 'a-lost-lease-goes-on-delivering',
    promise: '0043.7: One instance delivers at a time: deliveries are aborted if the lease is lost.',
    file: 'lib/plugins/subscriptions/hold-lease.ts',
    find: '    if (!isHeld) lost.abort();\n',
    replace: '',
    suites: ['tests/contract/subscription-lease.test.ts'],
  },
  {
    name: 'a-deadline-passes-a-second-late',
    promise: 'H12: A question whose deadline has passed is denied.',
    file: 'lib/commands/expire.ts',
    find: "return state === 'open' && deadline !== undefined && deadline <= (await clock.sure());",
    replace: "return state === 'open' && deadline !== undefined && deadline + 1_000 < (await clock.sure());",
    suites: ['tests/contract/flow/expiry.test.ts'],
  },
  {
    name: 'a-stranger-expires-a-question',
    promise:
      '0012.14: A request for the chat of another principal writes nothing, even after the deadline of its question.',
    file: 'lib/commands/expire.ts',
    find: '  if (!(await mayRead(engine.settings, principal, head))) return head;\n',
    replace: '',
    suites: ['tests/contract/unseen-chats.test.ts', 'tests/contract/flow/expiry.test.ts'],
  },
  {
    name: 'one-question-that-fails-stops-the-sweep',
    promise: 'H12: If one question cannot be expired, the others are.',
    file: 'lib/commands/expire.ts',
    find: "      logger.warn('A question could not be expired.', { chatId, approvalId, error: errorFacts(error) });\n",
    replace:
      "      logger.warn('A question could not be expired.', { chatId, approvalId, error: errorFacts(error) });\n      throw error;\n",
    suites: ['tests/contract/flow/expiry.test.ts'],
  },
];
