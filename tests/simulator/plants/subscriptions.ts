import type { Plant } from './plant.ts';

/** Bugs in what subscribers receive. */
export const subscriptionPlants: readonly Plant[] = [
  {
    name: 'the-place-moves-before-the-deliveries',
    rule: '0043',
    file: 'lib/plugins/subscriptions/follow-feed.ts',
    find: '  const results = await held.during(',
    replace: '  await held.commit({ place: through, dueThrough });\n  const results = await held.during(',
  },
  {
    name: 'what-failed-is-not-kept',
    rule: '0043',
    file: 'lib/plugins/subscriptions/follow-feed.ts',
    find: 'put: results }',
    replace: 'put: [] }',
  },
  {
    name: 'a-subscription-is-claimed-while-another-instance-has-it',
    rule: '0043',
    file: 'lib/stores/sqlite/statements.ts',
    find: 'where lease_owner = excluded.lease_owner or lease_until <= ?',
    replace: 'where lease_until <= lease_until + ?',
    also: [
      {
        file: 'lib/plugins/subscriptions/hold-lease.ts',
        find: 'return state.owner === term?.name || state.until <= (await clock.sure()) ? state : undefined;',
        replace: 'return state;',
      },
    ],
  },
  {
    name: 'a-lease-is-not-extended-during-deliveries',
    rule: '0043',
    file: 'lib/plugins/subscriptions/hold-lease.ts',
    find: '    beat();\n    try {',
    replace: '    try {',
  },
  {
    name: 'a-lease-is-taken-back-under-its-old-name',
    rule: '0043',
    file: 'lib/plugins/subscriptions/hold-lease.ts',
    find: '    terms += 1;\n',
    replace: '    terms += 1;\n    Object.assign(held, { name: owner });\n',
    also: [
      {
        file: 'lib/plugins/subscriptions/hold-lease.ts',
        find: 'const isHeld = await commit(held, {}).catch(() => true);',
        replace: 'const isHeld = (await take().catch(() => held)) !== undefined;',
      },
    ],
  },
  {
    name: 'a-commit-does-not-check-the-lease',
    rule: '0043',
    file: 'lib/stores/sqlite/statements.ts',
    find: 'lease_until = ?\n        where id = ? and lease_owner = ?`',
    replace: 'lease_until = ?\n        where id = ? and ? is not null`',
  },
  {
    name: 'each-attempt-has-an-id-of-its-own',
    rule: '0043',
    file: 'lib/plugins/subscriptions/deliver-in-order.ts',
    find: 'return event && (await deliverInTime(port, event));',
    replace:
      'return event && (await deliverInTime(port, { ...event, id: [event.id, tried.attempts].join() }));',
  },
  {
    name: 'one-id-for-all-events-of-a-question',
    rule: '0043',
    file: 'lib/plugins/subscriptions/feed-events.ts',
    find: 'return { id: eventId(type, chatId, approvalId), lane:',
    replace: "return { id: eventId('question', chatId, approvalId), lane:",
  },
  {
    name: 'a-failure-does-not-hold-up-its-question',
    rule: '0043',
    file: 'lib/plugins/subscriptions/deliver-in-order.ts',
    find: 'if (kept.deadAt === undefined) return { put: [...put, ...lane.slice(index + 1)], drop };',
    replace: '',
  },
  {
    name: 'what-waits-is-overtaken',
    rule: '0043',
    file: 'lib/plugins/subscriptions/follow-feed.ts',
    find: 'const blocked = new Set(kept.map(({ lane }) => lane));',
    replace: 'const blocked = new Set<string>();',
  },
  {
    name: 'a-question-that-was-settled-quickly-was-never-opened',
    rule: '0043',
    file: 'lib/plugins/subscriptions/feed-events.ts',
    find: 'if (!isOpen) return [...opened, questionEvent(endOf(question), question)];',
    replace: 'if (!isOpen) return [questionEvent(endOf(question), question)];',
  },
  {
    name: 'a-known-outcome-settles-its-question-again',
    rule: '0043',
    file: 'lib/stores/sqlite/statements.ts',
    find: "const eventPlace = 'ifnull(q.ended, q.change)';",
    replace: "const eventPlace = 'q.change';",
  },
  {
    name: 'a-dead-delivery-is-forgotten',
    rule: '0043',
    file: 'lib/plugins/subscriptions/retry-deliveries.ts',
    find: 'held.commit({ put, drop });',
    replace:
      'held.commit({ put: put.filter(({ deadAt }) => deadAt === undefined), drop: [...drop, ...put.filter(({ deadAt }) => deadAt !== undefined).map(({ id: gone }) => gone)] });',
  },
  {
    name: 'a-subscriber-gets-the-events-of-all-chats',
    rule: '0043',
    file: 'lib/plugins/subscriptions/render-event.ts',
    find: 'if (principal && !maySeeChat) return undefined;',
    replace: '',
  },
  {
    name: 'anyone-learns-why-a-turn-failed',
    rule: '0043',
    file: 'lib/plugins/subscriptions/render-event.ts',
    find: 'const shown = maySeeChat ? { error: event.error } : {};',
    replace: 'const shown = { error: event.error };',
  },
  {
    name: 'an-answer-shows-its-secrets',
    rule: '0011',
    file: 'lib/log/redact-question.ts',
    find: 'redact(input, secrets?.input)',
    replace: 'input',
  },
];
