import { type Plant, patch } from './plant.ts';

/** Bugs in questions that are not for one person only: votes, escalation, delegation. */
export const severalPlants: readonly Plant[] = [
  {
    name: 'a-person-may-vote-again',
    rule: '0047',
    patches: [
      patch(
        'commands/answer/several/own-answer.ts',
        'if (!given) return undefined;',
        'if (!given || given.seq > 0) return undefined;',
      ),
      patch(
        'log/events/recorded-answer-rows.ts',
        'claim: ({ approvalId, by }) => ',
        'claim: ({ approvalId, by, approved }) => approved ? undefined : ',
      ),
    ],
  },
  {
    name: 'one-approval-is-enough',
    rule: '0047',
    patches: [patch('plugins/votes/votes.ts', '>= (approved ? needed : denials)', '>= 1')],
  },
  {
    name: 'a-step-counts-before-it-is-recorded',
    rule: '0048',
    patches: [patch('plugins/escalation/rules.ts', '    .slice(0, plugins?.escalation?.step ?? 0)\n', '')],
  },
  {
    name: 'time-approves',
    rule: '0048',
    patches: [
      patch(
        'commands/expire.ts',
        "{ type: 'approval-withdrawn', approvalId, toolCallId, reason },\n    { type: 'tool-denied', toolCallId, reason, withdrawn: reason, modelOutput },",
        "{ type: 'approval-answered', approvalId, toolCallId, approved: true, by: { id: 'ada', name: 'Ada' }, via: 'time' },",
      ),
    ],
  },
  {
    name: 'reminders-start-over',
    rule: '0048',
    patches: [
      patch(
        'plugins/escalation/due-event.ts',
        ': { ...state, reminders: reminders + 1 };',
        ': { ...state, reminders: reminders + 2 };',
      ),
    ],
  },
  {
    name: 'an-ended-delegation-counts',
    rule: '0049',
    patches: [
      patch(
        'plugins/delegation/delegations.ts',
        'return current.length === 0 ? current : liveAt(current, await clock.sure());',
        'return current;',
      ),
    ],
  },
  {
    name: 'a-revoked-delegation-counts',
    rule: '0049',
    patches: [patch('plugins/delegation/delegate.ts', 'live: live.filter((one) => one !== found),', 'live,')],
  },
  {
    name: 'the-asker-may-be-the-delegate',
    rule: '0049',
    patches: [
      patch('rights/right-to-answer.ts', '  if (askedBy.id === principal.id) return undefined;\n', ''),
    ],
  },
  {
    name: 'a-change-makes-a-question-due-again',
    rule: '0043',
    patches: [
      patch(
        'plugins/subscriptions/feed-events.ts',
        'const isDue = isNew && (question',
        'const isDue = !isNew && (question',
      ),
    ],
  },
  {
    name: 'a-step-is-reported-before-its-question',
    rule: '0048',
    patches: [
      patch(
        'plugins/subscriptions/feed-events.ts',
        'return [...opening(item.opened, { id, chatId }), questionNotice(chatId, event)];',
        'return [questionNotice(chatId, event)];',
      ),
    ],
  },
];
