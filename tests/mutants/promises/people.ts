import type { PromiseMutant } from '../promise-mutant.ts';

/** Several people: delegations, votes, and the directory. */
export const peopleMutants: readonly PromiseMutant[] = [
  {
    name: 'the-asker-answers-by-a-delegated-right',
    promise: '0049.3: The asker never answers by a delegated right, under any former id.',
    patches: [
      {
        file: 'lib/rights/right-to-answer.ts',
        find: '  if (askedBy.id === principal.id) return undefined;\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/flow/delegations.test.ts', 'tests/adr/0049-people-and-delegation.test.ts'],
  },
  {
    name: 'a-delegation-covers-every-tool',
    promise: '0049: A delegation for some tools covers no other tool.',
    patches: [
      {
        file: 'lib/plugins/delegation/givers.ts',
        find: 'toolNames === undefined || toolNames.includes(toolName)',
        replace: 'toolNames === undefined || toolNames.length > 0',
      },
    ],
    suites: ['tests/contract/flow/delegations.test.ts', 'tests/adr/0049-people-and-delegation.test.ts'],
  },
  {
    name: 'a-used-right-is-delegated',
    promise: '0047: Each person has one vote, whoever acts.',
    patches: [
      {
        file: 'lib/rights/givers.ts',
        find: 'if (!covers(question) || answerOfPerson(settings, answers, person)) continue;',
        replace: 'if (!covers(question)) continue;',
      },
    ],
    suites: ['tests/contract/flow/votes.test.ts'],
  },
  {
    name: 'a-delegated-right-approves-what-the-giver-wrote',
    promise:
      '0049.4: Under four eyes, nobody approves by a delegated right what the giver could not have written.',
    patches: [
      {
        file: 'lib/rights/right-to-answer.ts',
        find: '    if (editedBy && !(await ruleFor(settings, giver, { ...question, editedBy: onBehalfOf }))) continue;\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/flow/delegations.test.ts', 'tests/adr/0049-people-and-delegation.test.ts'],
  },
  {
    name: 'a-delegation-never-ends',
    promise: '0049.5: A delegated right ends at its time.',
    patches: [
      {
        file: 'lib/plugins/delegation/delegations.ts',
        find: 'return current.length === 0 ? current : liveAt(current, await clock.sure());',
        replace: 'return current;',
      },
    ],
    suites: ['tests/contract/flow/delegations.test.ts', 'tests/adr/0049-people-and-delegation.test.ts'],
  },
  {
    name: 'a-revocation-counts-after-the-next-sweep',
    promise: '0049.6: A revocation counts at the next answer, on every instance.',
    patches: [
      {
        file: 'lib/rights/givers.ts',
        find: 'const givers = await giversTo(settings, principal, true);',
        replace: 'const givers = await giversTo(settings, principal);',
      },
    ],
    suites: ['tests/contract/flow/delegations.test.ts', 'tests/adr/0049-people-and-delegation.test.ts'],
  },
  {
    name: 'a-person-delegates-to-themselves-under-a-former-id',
    promise: '0049.14: Invalid delegations are refused.',
    patches: [
      {
        file: 'lib/plugins/delegation/delegate.ts',
        find: 'if (to === id) throw',
        replace: 'if (request.to === id) throw',
      },
    ],
    suites: ['tests/contract/flow/delegations.test.ts', 'tests/adr/0049-people-and-delegation.test.ts'],
  },
  {
    name: 'anybody-revokes-a-delegation',
    promise: '0049: Both people of a delegation can revoke it, and nobody else.',
    patches: [
      {
        file: 'lib/plugins/delegation/delegate.ts',
        find: 'if (!isTheirs) {',
        replace: 'if (!isTheirs && !found) {',
      },
    ],
    suites: ['tests/contract/flow/delegations.test.ts', 'tests/contract/delegations-route.test.ts'],
  },
  {
    name: 'the-asker-sees-who-may-answer',
    promise: '0049.12: The asker sees these names only if the flow shows them.',
    patches: [
      {
        file: 'lib/plugins/delegation/eligible-people.ts',
        find: 'if (!showApproversToAsker && isAsker',
        replace: 'if (showApproversToAsker && isAsker',
      },
    ],
    suites: ['tests/adr/0049-people-and-delegation.test.ts'],
  },
  {
    name: 'a-slow-directory-is-waited-for',
    promise: '0049.13: A failing directory hides the names, and takes no right from people with their own.',
    patches: [
      {
        file: 'lib/plugins/delegation/directory.ts',
        find: 'await Promise.race([(async () => people(query))(), late])',
        replace: 'await people(query)',
      },
    ],
    suites: ['tests/contract/flow/delegations.test.ts', 'tests/adr/0049-people-and-delegation.test.ts'],
  },
  {
    name: 'votes-are-counted-instead-of-people',
    promise: '0047.1: The call runs once, when enough different people have approved it.',
    patches: [
      {
        file: 'lib/commands/answer/several/leave-open.ts',
        find: 'const answers = distinctAnswers(engine.settings, alike);',
        replace: 'const answers = alike;',
      },
    ],
    suites: ['tests/adr/0047-several-approvals.test.ts'],
  },
  {
    name: 'a-vote-is-missing-to-settle',
    promise: '0047.1: The call runs once, when enough different people have approved it.',
    patches: [
      {
        file: 'lib/plugins/votes/votes.ts',
        find: '(approved ? needed : denials)',
        replace: '(approved ? needed - 1 : denials)',
      },
    ],
    suites: ['tests/contract/flow/votes.test.ts', 'tests/adr/0047-several-approvals.test.ts'],
  },
  {
    name: 'denials-are-counted-like-approvals',
    promise: '0047.3: The first denial settles the question, or as many as `denials` says.',
    patches: [
      {
        file: 'lib/plugins/votes/votes.ts',
        find: 'const { needed, denials = 1 } = says as QuestionVotes;',
        replace: 'const { needed, denials = needed } = says as QuestionVotes;',
      },
    ],
    suites: ['tests/contract/flow/votes.test.ts', 'tests/adr/0047-several-approvals.test.ts'],
  },
  {
    name: 'a-vote-can-be-changed',
    promise: '0047.4: A different vote by the same person is refused with the earlier one.',
    patches: [
      {
        file: 'lib/commands/answer/several/own-answer.ts',
        find: 'if (!given) return undefined;',
        replace: 'if (given?.approved !== answer.approved) return undefined;',
      },
    ],
    suites: ['tests/contract/flow/votes.test.ts', 'tests/adr/0047-several-approvals.test.ts'],
  },
  {
    name: 'edited-arguments-keep-the-votes',
    promise: '0047.5: Edited arguments are a new question, without earlier votes.',
    patches: [
      {
        file: 'lib/commands/answer/several/leave-open.ts',
        find: 'const earlier = edit ? [] : (call.recorded ?? []);',
        replace: 'const earlier = call.recorded ?? [];',
      },
    ],
    suites: ['tests/contract/flow/votes.test.ts', 'tests/adr/0047-several-approvals.test.ts'],
  },
];
