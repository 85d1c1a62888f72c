import { type Plant, patch } from './plant.ts';

/** Bugs in what subscribers receive. */
export const subscriptionPlants: readonly Plant[] = [
  {
    name: 'the-place-moves-before-the-deliveries',
    rule: '0043',
    patches: [
      patch(
        'plugins/subscriptions/follow-feed.ts',
        '  const results = await held.during(',
        '  await held.commit({ place: through, dueThrough });\n  const results = await held.during(',
      ),
    ],
  },
  {
    name: 'what-failed-is-not-kept',
    rule: '0043',
    patches: [patch('plugins/subscriptions/follow-feed.ts', 'put: results }', 'put: [] }')],
  },
  {
    name: 'a-subscription-is-claimed-while-another-instance-has-it',
    rule: '0043',
    patches: [
      patch(
        'stores/sqlite/statements.ts',
        'where lease_owner = excluded.lease_owner or lease_until <= ?',
        'where lease_until <= lease_until + ?',
      ),
      patch(
        'plugins/subscriptions/hold-lease.ts',
        'return state.owner === term?.name || state.until <= (await clock.sure()) ? state : undefined;',
        'return state;',
      ),
    ],
  },
  {
    name: 'a-lease-is-not-extended-during-deliveries',
    rule: '0043',
    patches: [patch('plugins/subscriptions/hold-lease.ts', '    beat();\n    try {', '    try {')],
  },
  {
    name: 'a-lease-is-taken-back-under-its-old-name',
    rule: '0043',
    patches: [
      patch(
        'plugins/subscriptions/hold-lease.ts',
        '    terms += 1;\n',
        '    terms += 1;\n    Object.assign(held, { name: owner });\n',
      ),
      patch(
        'plugins/subscriptions/hold-lease.ts',
        'const isHeld = await commit(held, {}).catch(() => true);',
        'const isHeld = (await take().catch(() => held)) !== undefined;',
      ),
    ],
  },
  {
    name: 'a-commit-does-not-check-the-lease',
    rule: '0043',
    patches: [
      patch(
        'stores/sqlite/statements.ts',
        'lease_until = ?\n        where id = ? and lease_owner = ?`',
        'lease_until = ?\n        where id = ? and ? is not null`',
      ),
    ],
  },
  {
    name: 'each-attempt-has-an-id-of-its-own',
    rule: '0043',
    patches: [
      patch(
        'plugins/subscriptions/deliver-in-order.ts',
        'return event && (await deliverInTime(port, event));',
        'return event && (await deliverInTime(port, { ...event, id: [event.id, tried.attempts].join() }));',
      ),
    ],
  },
  {
    name: 'one-id-for-all-events-of-a-question',
    rule: '0043',
    patches: [
      patch(
        'plugins/subscriptions/feed-events.ts',
        'return { id: eventId(type, chatId, approvalId), lane:',
        "return { id: eventId('question', chatId, approvalId), lane:",
      ),
    ],
  },
  {
    name: 'a-failure-does-not-hold-up-its-question',
    rule: '0043',
    patches: [
      patch(
        'plugins/subscriptions/deliver-in-order.ts',
        'if (kept.deadAt === undefined) return { put: [...put, ...lane.slice(index + 1)], drop };',
        '',
      ),
    ],
  },
  {
    name: 'what-waits-is-overtaken',
    rule: '0043',
    patches: [
      patch(
        'plugins/subscriptions/follow-feed.ts',
        'const blocked = new Set(kept.map(({ lane }) => lane));',
        'const blocked = new Set<string>();',
      ),
    ],
  },
  {
    name: 'a-question-that-was-settled-quickly-was-never-opened',
    rule: '0043',
    patches: [
      patch(
        'plugins/subscriptions/feed-events.ts',
        'if (!isOpen) return [...opened, questionEvent(endOf(question), question)];',
        'if (!isOpen) return [questionEvent(endOf(question), question)];',
      ),
    ],
  },
  {
    name: 'a-known-outcome-settles-its-question-again',
    rule: '0043',
    patches: [
      patch(
        'stores/sqlite/statements.ts',
        "const eventPlace = 'ifnull(q.ended, q.change)';",
        "const eventPlace = 'q.change';",
      ),
    ],
  },
  {
    name: 'a-dead-delivery-is-forgotten',
    rule: '0043',
    patches: [
      patch(
        'plugins/subscriptions/retry-deliveries.ts',
        'held.commit({ put, drop });',
        'held.commit({ put: put.filter(({ deadAt }) => deadAt === undefined), drop: [...drop, ...put.filter(({ deadAt }) => deadAt !== undefined).map(({ id: gone }) => gone)] });',
      ),
    ],
  },
  {
    name: 'a-subscriber-gets-the-events-of-all-chats',
    rule: '0043',
    patches: [
      patch('plugins/subscriptions/render-event.ts', 'if (principal && !maySeeChat) return undefined;', ''),
    ],
  },
  {
    name: 'anyone-learns-why-a-turn-failed',
    rule: '0043',
    patches: [
      patch(
        'plugins/subscriptions/render-event.ts',
        'const shown = maySeeChat ? { error: event.error } : {};',
        'const shown = { error: event.error };',
      ),
    ],
  },
  {
    name: 'an-answer-shows-its-secrets',
    rule: '0011',
    patches: [patch('log/redact-question.ts', 'redact(input, secrets?.input)', 'input')],
  },
];
