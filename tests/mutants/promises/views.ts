import type { PromiseMutant } from '../promise-mutant.ts';

/** What people, pages and models read. */
export const viewsMutants: readonly PromiseMutant[] = [
  {
    name: 'a-reader-gets-the-messages-of-the-model',
    promise: '0011.1',
    patches: [
      {
        file: 'lib/log/events/step-rows.ts',
        find: 'redact: (event) => ({ ...event, messages: [] }),',
        replace: 'redact: asWritten,',
      },
    ],
    suites: [
      'tests/adr/0011-secrets.test.ts',
      'tests/contract/flow/secrets.test.ts',
      'tests/contract/flow/seams.test.ts',
    ],
  },
  {
    name: 'an-event-without-a-row-is-shown',
    promise: '0056.9',
    patches: [
      {
        file: 'lib/views/reader/redact-events.ts',
        find: '?? headOf(event)',
        replace: '?? event',
      },
    ],
    suites: ['tests/adr/0056-a-kernel-and-plugins.test.ts'],
  },
  {
    name: 'call-options-are-shown',
    promise: '0030.7',
    patches: [
      {
        file: 'lib/log/events/turn-rows.ts',
        find: 'asker: _asker, callOptions: _callOptions, plugins',
        replace: 'asker: _asker, plugins',
      },
    ],
    suites: ['tests/contract/call-options.test.ts', 'tests/adr/0030-call-options-are-recorded.test.ts'],
  },
  {
    name: 'a-repeat-names-a-chat-of-somebody-else',
    promise: '0021.7',
    patches: [
      {
        file: 'lib/log/events/approval-rows.ts',
        find: '{ ...event, repeatOf: { at: repeatOf.at, outcome: repeatOf.outcome } }',
        replace: 'event',
      },
    ],
    suites: ['tests/contract/flow/repeats.test.ts', 'tests/adr/0021-what-ran-stays-in-the-chat.test.ts'],
  },
  {
    name: 'a-late-output-shows-a-secret',
    promise: '0011.1',
    patches: [
      {
        file: 'lib/log/events/call-rows.ts',
        find: "isRead ? hidden.get(event.toolCallId) : hiding({ output: [''] }, null)",
        replace: 'hidden.get(event.toolCallId)',
      },
    ],
    suites: ['tests/unit/secrets.test.ts'],
  },
  {
    name: 'a-data-part-shows-an-edited-secret',
    promise: '0031.6',
    patches: [
      {
        file: 'lib/log/events/call-rows.ts',
        find: 'hiding(known.secrets, known.input, event.input)',
        replace: 'hiding(known.secrets, known.input)',
      },
    ],
    suites: [
      'tests/contract/flow/data-parts.test.ts',
      'tests/adr/0031-data-parts-are-events.test.ts',
      'tests/contract/flow/secrets.test.ts',
    ],
  },
  {
    name: 'a-prompt-has-what-was-refused',
    promise: '0018.2',
    patches: [
      {
        file: 'lib/views/transcript.ts',
        find: 'return news[0]?.seq === seq + 1 ? news : [];',
        replace: 'return news;',
      },
    ],
    suites: ['tests/unit/flow-transcript.test.ts', 'tests/adr/0018-known-outcomes.test.ts'],
  },
  {
    name: 'a-cut-removes-calls-that-ran',
    promise: '0021.1',
    patches: [
      {
        file: 'lib/views/transcript.ts',
        find: 'if (entry) messages.cut(entry.place, event.kept?.through);',
        replace: 'if (entry) messages.cut(entry.place, undefined);',
      },
    ],
    suites: ['tests/contract/flow/kept-calls.test.ts', 'tests/adr/0021-what-ran-stays-in-the-chat.test.ts'],
  },
  {
    name: 'an-imported-call-id-is-free',
    promise: '0036.2',
    patches: [
      {
        file: 'lib/views/transcript.ts',
        find: "          for (const part of event.message.parts) if ('toolCallId' in part) callIds.add(part.toolCallId);\n",
        replace: '',
      },
    ],
    suites: [
      'tests/contract/flow/import-chat.test.ts',
      'tests/contract/flow/import-asked.test.ts',
      'tests/adr/0036-imported-chats.test.ts',
    ],
  },
  {
    name: 'a-transient-part-is-stored',
    promise: '0031.4',
    patches: [
      { file: 'lib/views/chat/message-reducer.ts', find: '  if (chunk.transient) return;\n', replace: '' },
    ],
    suites: ['tests/contract/flow/data-parts.test.ts', 'tests/adr/0031-data-parts-are-events.test.ts'],
  },
  {
    name: 'a-changed-data-part-is-appended',
    promise: '0031.3',
    patches: [
      {
        file: 'lib/views/chat/message-reducer.ts',
        find: 'if (isRecord(known)) known.data = data;',
        replace: 'if (known === chunk) known.data = data;',
      },
    ],
    suites: ['tests/contract/flow/data-parts.test.ts', 'tests/adr/0031-data-parts-are-events.test.ts'],
  },
  {
    name: 'a-resolved-call-keeps-its-error',
    promise: '0001.1',
    patches: [{ file: 'lib/views/chat/tool-parts.ts', find: '    delete part.errorText;\n', replace: '' }],
    suites: ['tests/contract/flow/resolved-outcomes.test.ts', 'tests/contract/flow/late-outcomes.test.ts'],
  },
  {
    name: 'a-finished-turn-has-drafts',
    promise: 'H4',
    patches: [
      {
        file: 'lib/views/chat/stored-chat.ts',
        find: 'const drafts = turn && !turn.released ? [...turn.drafts.values()] : [];',
        replace: 'const drafts = turn ? [...turn.drafts.values()] : [];',
      },
    ],
    suites: ['tests/contract/flow/resume.test.ts'],
  },
  {
    name: 'an-interrupted-step-never-ends',
    promise: 'H14: the timeline',
    patches: [
      {
        file: 'lib/views/timeline/timeline.ts',
        find: "        endModel(event, { state: 'cancelled' });\n        model = open(",
        replace: '        model = open(',
      },
    ],
    suites: ['tests/contract/flow/take-over.test.ts', 'tests/contract/timeline.test.ts'],
  },
  {
    name: 'a-late-report-is-missing-in-the-timeline',
    promise: '0018.5',
    patches: [
      {
        file: 'lib/views/timeline/call-spans.ts',
        find: '  delete span.error;',
        replace: '  if (span.resolved) return;\n  delete span.error;',
      },
    ],
    suites: ['tests/contract/flow/resolved-outcomes.test.ts'],
  },
  {
    name: 'a-cursor-belongs-to-everyone',
    promise: '0012.15',
    patches: [
      {
        file: 'lib/views/questions/cursors.ts',
        find: 'JSON.stringify([list, principalId])',
        replace: 'JSON.stringify([list])',
      },
    ],
    suites: ['tests/unit/flow-cursors.test.ts', 'tests/contract/unseen-activity.test.ts'],
  },
  {
    name: 'a-cursor-fits-every-list',
    promise: '0012.15',
    patches: [
      {
        file: 'lib/views/questions/cursors.ts',
        find: 'JSON.stringify([list, principalId])',
        replace: 'JSON.stringify([principalId])',
      },
    ],
    suites: ['tests/unit/flow-cursors.test.ts', 'tests/contract/unseen-activity.test.ts'],
  },
  {
    name: 'a-context-shows-a-secret',
    promise: '0015.13',
    patches: [
      {
        file: 'lib/views/questions/question-context.ts',
        find: 'shortened(strike(text))',
        replace: 'shortened(text)',
      },
    ],
    suites: ['tests/contract/flow/contexts.test.ts', 'tests/adr/0015-who-may-answer.test.ts'],
  },
  {
    name: 'two-roles-share-a-view',
    promise: '0012.2',
    patches: [
      {
        file: 'lib/views/questions/shared-feeds.ts',
        find: '? JSON.stringify(fields)',
        replace: '? principal.id',
      },
    ],
    suites: ['tests/contract/flow/shared-feeds.test.ts', 'tests/contract/flow/shared-rights.test.ts'],
  },
  {
    name: 'what-was-entered-counts-as-edited',
    promise: '0052.1',
    patches: [
      {
        file: 'lib/plugins/insights/tally.ts',
        find: 'answer.input !== undefined && !waitsIn',
        replace: 'answer.input !== undefined',
      },
    ],
    suites: ['tests/contract/flow/insights.test.ts', 'tests/adr/0052-insights.test.ts'],
  },
  {
    name: 'a-wait-is-in-the-next-bucket',
    promise: '0052.4',
    patches: [
      {
        file: 'lib/plugins/insights/wait-buckets.ts',
        find: 'if ((waitEdges[middle] ?? 0) <= waitMs) low = middle;',
        replace: 'if ((waitEdges[middle] ?? 0) < waitMs) low = middle;',
      },
    ],
    suites: ['tests/unit/wait-buckets.test.ts', 'tests/adr/0052-insights.test.ts'],
  },
  {
    name: 'a-regenerated-message-is-the-one-before',
    promise: 'H1: regenerate',
    patches: [
      {
        file: 'lib/views/message-order.ts',
        find: 'return entries.slice(0, index + 1).findLast(',
        replace: 'return entries.slice(0, index).findLast(',
      },
    ],
    suites: [
      'tests/contract/flow/kept-calls.test.ts',
      'tests/contract/flow/history.test.ts',
      'tests/unit/flow-transcript.test.ts',
    ],
  },
];
