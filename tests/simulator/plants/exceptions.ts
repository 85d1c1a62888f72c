/** Rules that one thread with a virtual clock and an in-memory store cannot test, and the suites that do. */
export const exceptions: readonly { readonly rule: string; readonly what: string; readonly where: string }[] =
  [
    {
      rule: 'A3',
      what: 'a process that is suspended between its last check and `execute`: nothing runs between two statements here',
      where: 'tests/contract/flow/start-check.test.ts',
    },
    {
      rule: 'A3',
      what: 'a stop that arrives between a durable start and `execute`: none of 1,000 schedules had that moment',
      where: 'tests/contract/flow/start-check.test.ts',
    },
    {
      rule: 'A4',
      what: 'a restored backup, which needs a database file',
      where: 'tests/upgrade/backup.test.ts',
    },
    {
      rule: 'A5, A6',
      what: 'what Postgres refuses, and the error codes of both stores',
      where: 'tests/contract/postgres-stops.test.ts, tests/unit/store-transient.test.ts',
    },
    {
      rule: 'A6',
      what: 'a lock of another process, and the event loop during the wait',
      where: 'tests/unit/sqlite-store-locks.test.ts',
    },
    {
      rule: 'A2, A7-A9, A11',
      what: 'what a page shows of it',
      where: 'tests/unit/react-*.test.tsx, tests/browser/',
    },
    {
      rule: 'C2',
      what: 'key rings, purges and the retention of kept records: no schedule uses these settings and requests',
      where: 'tests/contract/record/, tests/adr/0023-the-record-outlives-the-chat.test.ts',
    },
    {
      rule: 'A10',
      what: 'an approval that expires: an answer and the start that it allows share one append, with nothing in between',
      where: 'tests/contract/flow/shown-arguments.test.ts',
    },
  ];
