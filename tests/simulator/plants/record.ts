import type { Plant } from './plant.ts';

/** Bugs in what the sealed record proves and keeps. */
export const recordPlants: readonly Plant[] = [
  {
    name: 'forged-approvals-are-not-detected',
    rule: 'C1',
    file: 'lib/run/drive.ts',
    find: 'return !areVouchedFor({ auditor, settings }, journal.turn);',
    replace: 'return false;',
  },
  {
    name: 'an-approval-needs-no-seal',
    rule: 'C1',
    file: 'lib/run/call/unproven-calls.ts',
    find: "if (event.seal === undefined) return 'has no seal';",
    replace: 'if (event.seal === undefined) return undefined;',
  },
  {
    name: 'any-seal-is-accepted-before-a-start',
    rule: 'C1',
    file: 'lib/run/call/unproven-calls.ts',
    find: "if (check === 'sealed') return undefined;",
    replace: 'if (check !== undefined) return undefined;',
  },
  {
    name: 'the-export-omits-unsealed-events',
    rule: 'C1',
    file: 'lib/views/audit/audit-entries.ts',
    find: "check === 'unsealed' ? previous !== null : check !== 'sealed'",
    replace: "check === 'unsealed' ? previous === null : check !== 'sealed'",
  },
  {
    name: 'erasure-keeps-no-record',
    rule: 'C2',
    file: 'lib/commands/erase.ts',
    find: 'erasedAt, record && JSON.stringify(record), seq);',
    replace: 'erasedAt, undefined, seq);',
  },
  {
    name: 'an-erasure-is-not-recorded',
    rule: 'C2',
    file: 'lib/commands/erase.ts',
    find: 'const place = await flowLog.append(() => [',
    replace: 'const place = await flowLog.append(() => kept > 0 ? [] : [',
  },
  {
    name: 'no-checkpoints',
    rule: 'C2',
    file: 'lib/log/flow-log/checkpoints.ts',
    find: 'if (heads.length === 0) return;',
    replace: 'if (heads.length >= 0) return;',
  },
];
