import type { Plant } from './plant.ts';

/** Bugs in questions that are not for one person only: votes, escalation, delegation. */
export const severalPlants: readonly Plant[] = [
  {
    name: 'a-person-may-vote-again',
    rule: '0047',
    plugin: 'lib/plugins/votes/index.ts',
    file: 'lib/commands/answer/several/own-answer.ts',
    find: 'if (!given) return undefined;',
    replace: 'if (!given || given.seq > 0) return undefined;',
    also: [
      {
        file: 'lib/log/events/recorded-answer-rows.ts',
        find: 'claim: ({ approvalId, by }) => ',
        replace: 'claim: ({ approvalId, by, approved }) => approved ? undefined : ',
      },
    ],
  },
  {
    name: 'one-approval-is-enough',
    rule: '0047',
    file: 'lib/plugins/votes/votes.ts',
    find: '>= (approved ? needed : denials)',
    replace: '>= 1',
  },
  {
    name: 'a-step-counts-before-it-is-recorded',
    rule: '0048',
    file: 'lib/plugins/escalation/rules.ts',
    find: '    .slice(0, plugins?.escalation?.step ?? 0)\n',
    replace: '',
  },
  {
    name: 'time-approves',
    rule: '0048',
    plugin: 'lib/plugins/escalation/index.ts',
    file: 'lib/commands/expire.ts',
    find: "{ type: 'approval-withdrawn', approvalId, toolCallId, reason },\n    { type: 'tool-denied', toolCallId, reason, withdrawn: reason, modelOutput },",
    replace:
      "{ type: 'approval-answered', approvalId, toolCallId, approved: true, by: { id: 'ada', name: 'Ada' }, via: 'time' },",
  },
  {
    name: 'reminders-start-over',
    rule: '0048',
    file: 'lib/plugins/escalation/due-event.ts',
    find: ': { ...state, reminders: reminders + 1 };',
    replace: ': { ...state, reminders: reminders + 2 };',
  },
  {
    name: 'an-ended-delegation-counts',
    rule: '0049',
    file: 'lib/plugins/delegation/delegations.ts',
    find: 'return current.length === 0 ? current : liveAt(current, await clock.sure());',
    replace: 'return current;',
  },
  {
    name: 'a-revoked-delegation-counts',
    rule: '0049',
    file: 'lib/plugins/delegation/delegate.ts',
    find: 'live: live.filter((one) => one !== found),',
    replace: 'live,',
  },
  {
    name: 'the-asker-may-be-the-delegate',
    rule: '0049',
    plugin: 'lib/plugins/delegation/index.ts',
    file: 'lib/rights/right-to-answer.ts',
    find: '  if (askedBy.id === principal.id) return undefined;\n',
    replace: '',
  },
  {
    name: 'a-change-makes-a-question-due-again',
    rule: '0043',
    file: 'lib/plugins/subscriptions/feed-events.ts',
    find: 'const isDue = isNew && (question',
    replace: 'const isDue = !isNew && (question',
  },
  {
    name: 'a-step-is-reported-before-its-question',
    rule: '0048',
    plugin: 'lib/plugins/escalation/index.ts',
    file: 'lib/plugins/subscriptions/feed-events.ts',
    find: 'return [...opening(item.opened, { id, chatId }), questionNotice(chatId, event)];',
    replace: 'return [questionNotice(chatId, event)];',
  },
];
