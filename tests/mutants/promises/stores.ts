import type { PromiseMutant } from '../promise-mutant.ts';

/** What a store, the journal that writes to it, and the leases on it promise. */
export const storeMutants: readonly PromiseMutant[] = [
  {
    name: 'a-late-writer-of-sqlite-appends',
    promise: '0009.1: Of any number of appends based on one head, exactly one is written.',
    patches: [
      {
        file: 'lib/stores/sqlite/statements.ts',
        find: 'where id = ? and seq = ? and created_at = ?',
        replace: 'where id = ? and seq <= ? and created_at = ?',
      },
    ],
    suites: ['tests/contract/store.contract.test.ts', 'tests/unit/sqlite-store.test.ts'],
  },
  {
    name: 'sqlite-ignores-the-lease',
    promise: '0009.3: While a lease lasts, only its holder appends.',
    patches: [
      {
        file: 'lib/stores/sqlite/statements.ts',
        find: '(lease_until is null or lease_owner = ? or lease_until <= ?)',
        replace: '(lease_until is null or lease_owner = ? or lease_until >= ?)',
      },
    ],
    suites: ['tests/contract/store.contract.test.ts'],
  },
  {
    name: 'a-claim-of-sqlite-is-taken-twice',
    promise: '0009.2: A claim is taken once in the life of a chat.',
    patches: [
      {
        file: 'lib/stores/sqlite/append.ts',
        find: 'return insertAll(statements.addEvents, rows) === rows.length;',
        replace: 'return insertAll(statements.addEvents, rows) >= 0;',
      },
    ],
    suites: ['tests/contract/store.contract.test.ts', 'tests/adr/0019-a-call-starts-once.test.ts'],
  },
  {
    name: 'a-refused-batch-of-sqlite-is-kept-in-part',
    promise: '0009.4: A batch is written as a whole or not at all, no matter which part of it is refused.',
    patches: [
      {
        file: 'lib/stores/sqlite/append.ts',
        find: "const taken: Outcome = { keep: false, result: 'conflict' };",
        replace: "const taken: Outcome = { keep: true, result: 'conflict' };",
      },
    ],
    suites: ['tests/contract/store.contract.test.ts', 'tests/unit/sqlite-store.test.ts'],
  },
  {
    name: 'a-stopped-run-starts-a-call-in-sqlite',
    promise: '0009.8: After a stop request is acknowledged, no instance starts a call for that run.',
    patches: [
      {
        file: 'lib/stores/sqlite/append.ts',
        find: '  if (isStopped(statements, batch, standing)) return stopped;\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/store.contract.test.ts'],
  },
  {
    name: 'a-revoked-grant-of-sqlite-is-used',
    promise: '0015.9: A revoked approval applies to no call, not even in a run that had found it.',
    patches: [
      {
        file: 'lib/stores/sqlite/methods/records.ts',
        find: 'statements.moveRecord.run(...row, ...names, record.expects).changes > 0',
        replace: 'statements.moveRecord.run(...row, ...names, record.expects).changes >= 0',
      },
    ],
    suites: ['tests/contract/store.contract.test.ts', 'tests/contract/flow/remember.test.ts'],
  },
  {
    name: 'an-append-to-sqlite-that-was-lost-is-a-conflict',
    promise:
      '0009.6: An append whose acknowledgement was lost returns what the log contains, even when its caller repeats it.',
    patches: [
      {
        file: 'lib/stores/sqlite/append.ts',
        find: 'return isWritten(statements, batch) ? appended : late;',
        replace: 'return late;',
      },
    ],
    suites: ['tests/contract/store.contract.test.ts'],
  },
  {
    name: 'a-page-of-a-store-is-one-row-short',
    promise: 'H9: A list has all items, on as many pages as it needs.',
    patches: [
      {
        file: 'lib/stores/cursor.ts',
        find: 'last !== undefined && rows.length > limit ?',
        replace: 'last !== undefined && rows.length > limit + 1 ?',
      },
    ],
    suites: ['tests/contract/store.contract.test.ts'],
  },
  {
    name: 'a-held-lease-of-sqlite-is-claimed',
    promise: '0013: A lease is claimed by its owner, or when it has ended.',
    patches: [
      {
        file: 'lib/stores/sqlite/statements.ts',
        find: 'where id = ? and lease_until is not null and (lease_owner = ? or lease_until <= ?)',
        replace:
          'where id = ? and lease_until is not null and (lease_owner >= substr(?, 1, 0) or lease_until <= ?)',
      },
    ],
    suites: ['tests/contract/store.contract.test.ts'],
  },
  {
    name: 'erased-text-stays-in-the-write-ahead-log',
    promise: '0005: Deleted text is not readable in the files of the store.',
    patches: [
      {
        file: 'lib/stores/sqlite/methods/chats.ts',
        find: "reason: 'erase' });\n        await forgetDeleted();\n",
        replace: "reason: 'erase' });\n",
      },
    ],
    suites: ['tests/unit/sqlite-store.test.ts', 'tests/adr/0005-sqlite-driver.test.ts'],
  },
  {
    name: 'the-errors-of-the-driver-reach-clients',
    promise: '0005: An error of the store contains no path and no text of the driver.',
    patches: [
      {
        file: 'lib/stores/sqlite/access.ts',
        find: "throw new CountersignError('internal', 'The store failed. Trying again is safe.', {}, options);",
        replace: "throw new CountersignError('internal', String(error), {}, options);",
      },
    ],
    suites: ['tests/unit/sqlite-store.test.ts', 'tests/unit/store-transient.test.ts'],
  },
  {
    name: 'a-full-disk-is-final',
    promise:
      '0018.3: While the store fails with transient errors, the end of a call is retried until it is written.',
    patches: [
      {
        file: 'lib/stores/sqlite/transient.ts',
        find: '  13, // SQLITE_FULL\n',
        replace: '',
      },
    ],
    suites: ['tests/unit/store-transient.test.ts', 'tests/unit/sqlite-store.test.ts'],
  },
  {
    name: 'a-lock-blocks-the-event-loop-or-fails',
    promise: '0005.6: A call waits for the lock of another process.',
    patches: [
      {
        file: 'lib/stores/sqlite/when-free.ts',
        find: 'if (!isLocked(error) || ms === 0) throw error;',
        replace: 'throw error;',
      },
    ],
    suites: ['tests/unit/sqlite-store-locks.test.ts', 'tests/unit/sqlite-store.test.ts'],
  },
  {
    name: 'postgres-ignores-the-lease',
    promise: '0009.3: While a lease lasts, only its holder appends.',
    patches: [
      {
        file: 'lib/stores/postgres/append/append-statement.ts',
        find: '        and (chats.lease_until is null or chats.lease_owner = batch.writer or chats.lease_until <= batch.at)\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/store.contract.test.ts', 'tests/contract/postgres-store.test.ts'],
  },
  {
    name: 'a-lost-connection-is-final',
    promise: '0009.9: A store error says whether the same call may succeed later.',
    patches: [
      {
        file: 'lib/stores/postgres/connection/transient.ts',
        find: '/^(08...|25006|',
        replace: '/^(25006|',
      },
    ],
    suites: ['tests/unit/store-transient.test.ts'],
  },
  {
    name: 'the-clock-of-this-machine-counts',
    promise: '0013: A measurement of the clock of the server is valid until the machine was suspended.',
    patches: [
      {
        file: 'lib/stores/postgres/connection/server-time.ts',
        find: 'return age <= knownForMs && Math.abs(local.wall() - sample.wall - age) <= mostJumpMs;',
        replace: 'return age <= knownForMs;',
      },
    ],
    suites: ['tests/unit/server-time.test.ts'],
  },
  {
    name: 'an-end-that-another-instance-overtook-is-lost',
    promise: '0018.4: If the run is lost, the process that ran the call reports its outcome.',
    patches: [
      {
        file: 'lib/log/journal/batch-writer.ts',
        find: '    if (ends.length > 0) onLost?.(ends, durable);\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/flow/late-outcomes.test.ts', 'tests/adr/0018-known-outcomes.test.ts'],
  },
  {
    name: 'a-lease-without-a-margin',
    promise: '0019.2: If too little of a lease is left, it is renewed before the call.',
    patches: [
      {
        file: 'lib/log/run-lease.ts',
        find: 'remainingMs() > marginOf(leaseMs),',
        replace: 'remainingMs() > 0,',
      },
    ],
    suites: ['tests/contract/flow/start-check.test.ts', 'tests/adr/0019-a-call-starts-once.test.ts'],
  },
  {
    name: 'a-lease-that-lapsed-is-trusted',
    promise: '0019.2: If a lease had expired, its renewal counts only if nothing else was written.',
    patches: [
      {
        file: 'lib/log/run-lease.ts',
        find: '      if (since && remainingMs() <= 0) hasLapsed = true;\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/flow/start-check.test.ts', 'tests/adr/0019-a-call-starts-once.test.ts'],
  },
  {
    name: 'a-reader-that-left-is-waited-for',
    promise:
      'C3: The start of a call is sent to all readers before it runs, and waits for none that has left.',
    patches: [
      {
        file: 'lib/log/follow/readers.ts',
        find: '          others.delete(reader);\n',
        replace: '',
      },
    ],
    suites: ['tests/unit/flow-readers.test.ts'],
  },
  {
    name: 'the-cache-has-gaps',
    promise: 'H2: A reader gets every event, in order.',
    patches: [
      {
        file: 'lib/log/follow/recent-events.ts',
        find: 'const all = follows ? recent.events.concat(events) : events;',
        replace: 'const all = recent.events.concat(events);',
      },
    ],
    suites: ['tests/unit/flow-recent-events.test.ts'],
  },
];
