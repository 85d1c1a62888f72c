import type { PromiseMutant } from '../promise-mutant.ts';

/** The sealed record, its checks, and what may not run without a seal. */
export const sealsMutants: readonly PromiseMutant[] = [
  {
    name: 'a-record-fits-another-chat',
    promise: '0010.5',
    patches: [
      {
        file: 'lib/log/seal/audit-facts.ts',
        find: 'const place = { chatId, seq,',
        replace: 'const place = { seq,',
      },
    ],
    suites: ['tests/adr/0010-sealed-audit-record.test.ts', 'tests/contract/flow/audit.test.ts'],
  },
  {
    name: 'a-secret-argument-has-no-digest',
    promise: '0010.4',
    patches: [
      {
        file: 'lib/log/seal/audit-facts.ts',
        find: '      inputDigest: secrets?.input ? digest(whole) : undefined,\n',
        replace: '',
      },
    ],
    suites: [
      'tests/adr/0010-sealed-audit-record.test.ts',
      'tests/contract/flow/audit.test.ts',
      'tests/contract/record/consistency.test.ts',
    ],
  },
  {
    name: 'an-edit-approves-what-the-model-wrote',
    promise: '0023.3',
    patches: [
      {
        file: 'lib/log/events/approval-rows.ts',
        find: 'approved ? digest(event.input ?? requested.input) : undefined',
        replace: 'approved ? digest(requested.input) : undefined',
      },
    ],
    suites: [
      'tests/contract/record/consistency.test.ts',
      'tests/contract/flow/audit.test.ts',
      'tests/adr/0023-the-record-outlives-the-chat.test.ts',
    ],
  },
  {
    name: 'the-record-has-the-secret-of-a-form',
    promise: '0011.1',
    patches: [
      {
        file: 'lib/log/events/approval-rows.ts',
        find: 'redact(event.value, requested.secrets?.output)',
        replace: 'redact(event.value, requested.secrets?.input)',
      },
    ],
    suites: [
      'tests/contract/flow/ask-person.test.ts',
      'tests/contract/flow/audit.test.ts',
      'tests/contract/flow/secrets.test.ts',
    ],
  },
  {
    name: 'an-unknown-key-is-the-current-one',
    promise: '0023.6',
    patches: [
      {
        file: 'lib/log/seal/audit-keys.ts',
        find: "(typeof auditKey === 'string' ? auditKey : keys.byId.get(idOf(seal)))",
        replace: "(typeof auditKey === 'string' ? auditKey : (keys.byId.get(idOf(seal)) ?? key))",
      },
    ],
    suites: [
      'tests/contract/record/kept-records.test.ts',
      'tests/contract/flow/audit.test.ts',
      'tests/adr/0023-the-record-outlives-the-chat.test.ts',
    ],
  },
  {
    name: 'a-grant-is-sealed-without-its-call',
    promise: '0023.2',
    patches: [
      {
        file: 'lib/log/seal/auditor.ts',
        find: 'definition, covers, createdAt } };',
        replace: 'definition, createdAt } };',
      },
    ],
    suites: [
      'tests/contract/record/forged-approvals.test.ts',
      'tests/adr/0023-the-record-outlives-the-chat.test.ts',
    ],
  },
  {
    name: 'an-answer-after-the-start-is-consistent',
    promise: '0023.3',
    patches: [
      {
        file: 'lib/views/audit/consistency.ts',
        find: "        if (call.started) return 'it answers a call that has started already.';\n",
        replace: '',
      },
    ],
    suites: ['tests/contract/record/consistency.test.ts'],
  },
  {
    name: 'a-start-without-an-approval-is-consistent',
    promise: '0023.3',
    patches: [
      {
        file: 'lib/views/audit/consistency.ts',
        find: "        if (!clearance) return 'nothing before it allows the call to start.';\n",
        replace: '        if (!clearance) return undefined;\n',
      },
    ],
    suites: [
      'tests/contract/record/consistency.test.ts',
      'tests/adr/0023-the-record-outlives-the-chat.test.ts',
    ],
  },
  {
    name: 'a-revoked-approval-in-advance-is-consistent',
    promise: '0041.10',
    patches: [
      {
        file: 'lib/views/audit/consistency.ts',
        find: '        if (entry.early === undefined) return undefined;\n',
        replace: '        if (!entry.early) return undefined;\n',
      },
    ],
    suites: ['tests/contract/record/consistency.test.ts', 'tests/adr/0041-upcoming-calls.test.ts'],
  },
  {
    name: 'a-second-start-is-consistent',
    promise: '0019.1',
    patches: [
      {
        file: 'lib/views/audit/consistency.ts',
        find: "        if (call.started) return 'the call had started before.';\n",
        replace: '',
      },
    ],
    suites: ['tests/contract/record/consistency.test.ts'],
  },
  {
    name: 'a-record-without-its-end-is-valid',
    promise: '0010.2',
    patches: [
      {
        file: 'lib/views/audit/verify-audit.ts',
        find: "  if (head !== (entries.at(-1)?.seal ?? '')) {",
        replace: "  if (head === '') {",
      },
    ],
    suites: [
      'tests/adr/0010-sealed-audit-record.test.ts',
      'tests/contract/flow/audit.test.ts',
      'tests/contract/verify-audit.test.ts',
    ],
  },
  {
    name: 'a-noted-head-may-be-missing',
    promise: '0010.2',
    patches: [
      {
        file: 'lib/views/audit/verify-audit.ts',
        find: 'if (notedHead !== undefined && !entries.some(({ seal }) => seal === notedHead)) {',
        replace: 'if (notedHead !== undefined && entries.length === 0) {',
      },
    ],
    suites: [
      'tests/adr/0010-sealed-audit-record.test.ts',
      'tests/contract/flow/audit.test.ts',
      'tests/contract/verify-audit.test.ts',
    ],
  },
  {
    name: 'an-erasure-keeps-ungated-calls',
    promise: '0023.4',
    patches: [
      {
        file: 'lib/views/audit/kept-record.ts',
        find: "if (entry.type === 'started') return entry.gate === undefined;",
        replace: "if (entry.type === 'started') return true;",
      },
    ],
    suites: [
      'tests/contract/record/kept-records.test.ts',
      'tests/adr/0023-the-record-outlives-the-chat.test.ts',
    ],
  },
  {
    name: 'events-before-the-first-seal-are-faults',
    promise: 'A key can be added later',
    patches: [
      {
        file: 'lib/views/audit/audit-entries.ts',
        find: "check === 'unsealed' ? previous !== null :",
        replace: "check === 'unsealed' ? true :",
      },
    ],
    suites: ['tests/contract/flow/audit.test.ts', 'tests/contract/record/forged-approvals.test.ts'],
  },
  {
    name: 'the-record-omits-erased-chats',
    promise: '0023.4',
    patches: [
      { file: 'lib/views/audit/export-record.ts', find: '  yield* erasedChats(parts);\n', replace: '' },
    ],
    suites: [
      'tests/contract/record/kept-records.test.ts',
      'tests/contract/audit-route.test.ts',
      'tests/contract/verify-audit.test.ts',
    ],
  },
  {
    name: 'a-forged-pause-counts',
    promise: '0023.8',
    patches: [
      {
        file: 'lib/log/flow-log/flow-log.ts',
        find: 'if (last && isSealedAfter(seals, previous?.seal ?? null, last)) return last.state;',
        replace: 'if (last) return last.state;',
      },
    ],
    suites: ['tests/contract/record/forged-approvals.test.ts'],
  },
  {
    name: 'a-question-needs-no-seal',
    promise: '0023.1',
    patches: [
      {
        file: 'lib/run/call/unproven-calls.ts',
        find: '(await sealBefore(parts.store, chatId, asked.seq)) === null',
        replace: 'asked.seal === undefined',
      },
    ],
    suites: [
      'tests/contract/record/forged-approvals.test.ts',
      'tests/adr/0023-the-record-outlives-the-chat.test.ts',
    ],
  },
  {
    name: 'a-forged-vote-counts',
    promise: '0047.7',
    patches: [
      {
        file: 'lib/run/call/unproven-calls.ts',
        find: 'if (check !== undefined) return `an answer before its approval ${check}`;',
        replace: '',
      },
    ],
    suites: [
      'tests/contract/record/forged-approvals.test.ts',
      'tests/contract/flow/votes.test.ts',
      'tests/adr/0047-several-approvals.test.ts',
    ],
  },
  {
    name: 'a-forged-escalation-counts',
    promise: '0048.10',
    patches: [
      {
        file: 'lib/run/call/unproven-calls.ts',
        find: 'if (claim !== undefined) return `what the plugin ${plugin} recorded ${claim}`;',
        replace: 'if (claim === undefined) return undefined;',
      },
    ],
    suites: [
      'tests/adr/0048-escalation.test.ts',
      'tests/contract/flow/escalation.test.ts',
      'tests/contract/record/forged-approvals.test.ts',
    ],
  },
  {
    name: 'a-forged-grant-counts',
    promise: '0023.2',
    patches: [
      {
        file: 'lib/run/question/apply-standing.ts',
        find: 'auditor.provesApproval(approval)',
        replace: 'approval.seal !== undefined',
      },
    ],
    suites: [
      'tests/contract/record/forged-approvals.test.ts',
      'tests/adr/0023-the-record-outlives-the-chat.test.ts',
    ],
  },
  {
    name: 'a-delegation-needs-no-seal',
    promise: '0049.7',
    patches: [
      {
        file: 'lib/log/flow-log/flow-log.ts',
        find: 'return isSealedAfter(seals, previous?.seal ?? null, event) ? event : undefined;',
        replace: 'return event;',
      },
    ],
    suites: ['tests/contract/flow/delegations.test.ts'],
  },
  {
    name: 'a-flow-with-another-key-starts',
    promise: '0023.6',
    patches: [
      {
        file: 'lib/flow/check-keys.ts',
        find: '  if (sealed.length > 1 || own.seq <= mostChecked) if (!isKnown) throw missing(idOf(own.auditHead));\n',
        replace: '',
      },
    ],
    suites: [
      'tests/adr/0023-the-record-outlives-the-chat.test.ts',
      'tests/contract/record/kept-records.test.ts',
      'tests/contract/flow/audit.test.ts',
    ],
  },
  {
    name: 'a-number-in-parsed-arguments-is-shown',
    promise: '0011.1',
    patches: [
      {
        file: 'lib/log/redaction.ts',
        find: "if (typeof value === 'number' || typeof value === 'bigint') {",
        replace: "if (typeof value === 'bigint') {",
      },
    ],
    suites: [
      'tests/contract/flow/secrets.test.ts',
      'tests/contract/flow/parsed-arguments.test.ts',
      'tests/unit/secrets.test.ts',
    ],
  },
  {
    name: 'a-secret-key-of-parsed-arguments-is-shown',
    promise: '0011.1',
    patches: [
      { file: 'lib/log/redaction.ts', find: '[struck(key), within(item)]', replace: '[key, within(item)]' },
    ],
    suites: [
      'tests/contract/flow/secrets.test.ts',
      'tests/contract/flow/parsed-arguments.test.ts',
      'tests/unit/secrets.test.ts',
    ],
  },
];
