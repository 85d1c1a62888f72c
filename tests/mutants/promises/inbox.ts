import type { PromiseMutant } from '../promise-mutant.ts';

/** What the inbox knows, what a form sends, and what is typed and not sent. */
export const inboxMutants: readonly PromiseMutant[] = [
  {
    name: 'typed-secrets-are-stored',
    promise: '0011: Secrets that were typed are not kept in the browser.',
    patches: [
      {
        file: 'lib/client/card/unsent.ts',
        find: '  if (proposed === hidden) return proposed;\n',
        replace: '',
      },
    ],
    suites: ['tests/unit/react-unsent.test.tsx'],
  },
  {
    name: 'the-next-person-reads-what-was-typed',
    promise: '0038: What was typed is forgotten when the person changes.',
    patches: [
      {
        file: 'lib/client/card/unsent.ts',
        find: 'approvalId === undefined ? names : [prefix + approvalId]',
        replace: 'approvalId === undefined ? [] : [prefix + approvalId]',
      },
    ],
    suites: ['tests/unit/react-unsent.test.tsx'],
  },
  {
    name: 'a-held-key-approves-the-next-question',
    promise: '0038: A held key gives no answer.',
    patches: [
      {
        file: 'lib/client/card/approval-keys.ts',
        find: 'if (!isCommand || press.repeat || press.isComposing) return undefined;',
        replace: 'if (!isCommand || press.isComposing) return undefined;',
      },
    ],
    suites: ['tests/unit/react-approval-card.test.tsx', 'tests/unit/react-approval-keys.test.tsx'],
  },
  {
    name: 'enter-alone-approves',
    promise: '0038: Enter alone never approves.',
    patches: [
      {
        file: 'lib/client/card/approval-keys.ts',
        find: 'const isCommand = (press.ctrlKey || press.metaKey) && !press.shiftKey',
        replace: 'const isCommand = !press.shiftKey',
      },
    ],
    suites: ['tests/unit/react-approval-card.test.tsx', 'tests/unit/react-approval-keys.test.tsx'],
  },
  {
    name: 'the-direction-of-a-text-is-not-shown',
    promise: '0040: Characters that are invisible or change the reading direction are made visible.',
    patches: [
      {
        file: 'lib/client/text/visible-text.ts',
        find: "'[\\\\p{Cc}\\\\p{Cf}\\\\p{Default_Ignorable_Code_Point}",
        replace: "'[\\\\p{Cc}",
      },
    ],
    suites: ['tests/unit/react-approval-card-words.test.ts', 'tests/unit/react-readable-value.test.tsx'],
  },
  {
    name: 'a-settled-question-opens-again',
    promise: 'H11: Lists and events may arrive in any order, and a settled question never reopens.',
    patches: [
      {
        file: 'lib/client/inbox/inbox-state.ts',
        find: 'const known = new Set([...kept, ...state.settled].map(({ id }) => id));',
        replace: 'const known = new Set(kept.map(({ id }) => id));',
      },
    ],
    suites: ['tests/unit/react-inbox-state.test.tsx'],
  },
  {
    name: 'an-older-event-hides-a-vote',
    promise: '0047: The feed may be behind the response to a vote.',
    patches: [
      {
        file: 'lib/client/inbox/inbox-state.ts',
        find: 'if (isSame || given(question) < given(known)) return state;',
        replace: 'if (isSame) return state;',
      },
    ],
    suites: ['tests/unit/react-inbox-state.test.tsx', 'tests/unit/react-inbox.test.tsx'],
  },
  {
    name: 'a-new-list-drops-questions-that-were-just-opened',
    promise: 'H11: A list that is read late does not hide questions that were opened since.',
    patches: [
      {
        file: 'lib/client/inbox/inbox-state.ts',
        find: "now !== 'open' || state.fresh.has(id));",
        replace: "now !== 'open' || state.fresh.size > 999);",
      },
    ],
    suites: ['tests/unit/react-inbox-state.test.tsx', 'tests/unit/react-inbox.test.tsx'],
  },
  {
    name: 'a-lost-feed-begins-at-its-end',
    promise: 'H11: After a lost connection, the feed is resumed after the last event.',
    patches: [
      {
        file: 'lib/client/inbox/feed/read-approval-feed.ts',
        find: 'openFeed(settings, connection, state.lastId())',
        replace: 'openFeed(settings, connection, undefined)',
      },
    ],
    suites: ['tests/unit/client-event-streams.test.ts', 'tests/unit/react-inbox.test.tsx'],
  },
  {
    name: 'a-silent-feed-is-taken-for-live',
    promise: 'H11: A connection that is silent for 45 s is dead.',
    patches: [
      {
        file: 'lib/client/inbox/feed/feed-connection.ts',
        find: 'const silenceMs = 45_000;',
        replace: 'const silenceMs = 450_000;',
      },
    ],
    suites: ['tests/unit/client-event-streams.test.ts', 'tests/unit/react-connection.test.tsx'],
  },
  {
    name: 'each-tab-has-a-feed',
    promise: '0054.1: The tabs of one reader share one connection.',
    patches: [
      {
        file: 'lib/client/inbox/feed/read-approval-feed.ts',
        find: 'const leads = await tabs.lead(feed.reader);',
        replace: 'const leads = (await tabs.lead(feed.reader)) || true;',
      },
    ],
    suites: ['tests/adr/0054-one-feed-for-all-tabs.test.ts'],
  },
  {
    name: 'tabs-of-two-people-share-a-feed',
    promise: '0054.3: Tabs with different sign-ins share nothing.',
    patches: [
      {
        file: 'lib/client/inbox/feed/feed-tabs.ts',
        find: 'globalThis.location?.href).href} ${reader}`',
        replace: 'globalThis.location?.href).href} ${reader.length}`',
      },
    ],
    suites: ['tests/adr/0054-one-feed-for-all-tabs.test.ts'],
  },
  {
    name: 'the-largest-number-is-refused',
    promise: '0025: The form finds values that do not fit the schema.',
    patches: [
      {
        file: 'lib/plugins/forms/client/read-draft.ts',
        find: 'value > maximum) refuse(',
        replace: 'value >= maximum) refuse(',
      },
    ],
    suites: ['tests/unit/react-approval-card-form.test.ts'],
  },
  {
    name: 'arguments-without-a-field-are-dropped',
    promise: '0025: The form keeps arguments that it has no field for.',
    patches: [
      {
        file: 'lib/plugins/forms/client/read-draft.ts',
        find: 'return { ...draft.rest, ...Object.fromEntries(',
        replace: 'return { ...Object.fromEntries(',
      },
    ],
    suites: ['tests/unit/react-approval-card-form.test.ts'],
  },
];
