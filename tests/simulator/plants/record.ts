import { type Plant, patch } from './plant.ts';

/** Bugs in what the sealed record proves and keeps. */
export const recordPlants: readonly Plant[] = [
  {
    name: 'forged-approvals-are-not-detected',
    rule: 'C1',
    patches: [
      patch('run/drive.ts', 'return !areVouchedFor({ auditor, settings }, journal.turn);', 'return false;'),
    ],
  },
  {
    name: 'an-approval-needs-no-seal',
    rule: 'C1',
    patches: [
      patch(
        'run/call/unproven-calls.ts',
        "if (event.seal === undefined) return 'has no seal';",
        'if (event.seal === undefined) return undefined;',
      ),
    ],
  },
  {
    name: 'any-seal-is-accepted-before-a-start',
    rule: 'C1',
    patches: [
      patch(
        'run/call/unproven-calls.ts',
        "if (check === 'sealed') return undefined;",
        'if (check !== undefined) return undefined;',
      ),
    ],
  },
  {
    name: 'the-export-omits-unsealed-events',
    rule: 'C1',
    patches: [
      patch(
        'views/audit/audit-entries.ts',
        "check === 'unsealed' ? previous !== null : check !== 'sealed'",
        "check === 'unsealed' ? previous === null : check !== 'sealed'",
      ),
    ],
  },
  {
    name: 'erasure-keeps-no-record',
    rule: 'C2',
    patches: [
      patch(
        'commands/erase.ts',
        'erasedAt, record && JSON.stringify(record), seq);',
        'erasedAt, undefined, seq);',
      ),
    ],
  },
  {
    name: 'an-erasure-is-not-recorded',
    rule: 'C2',
    patches: [
      patch(
        'commands/erase.ts',
        'const place = await flowLog.append(() => [',
        'const place = await flowLog.append(() => kept > 0 ? [] : [',
      ),
    ],
  },
  {
    name: 'no-checkpoints',
    rule: 'C2',
    patches: [
      patch(
        'log/flow-log/checkpoints.ts',
        'if (heads.length === 0) return;',
        'if (heads.length >= 0) return;',
      ),
    ],
  },
];
