import { DatabaseSync, StatementSync } from 'node:sqlite';

/** What SQLite was asked, through every connection of this process. */
export type SqliteCounts = {
  /** Statements that ran, `begin` and `commit` included. */
  readonly statements: number;
  /** Commits of something written: with WAL and `synchronous=FULL` each is one fsync (checkpoints come on top). */
  readonly durableWrites: number;
};

/** Counts from now on, until `stop` is called. */
export function countSqlite(): { counts(): SqliteCounts; stop(): void } {
  const { exec } = DatabaseSync.prototype;
  const { run, get, all } = StatementSync.prototype;
  let statements = 0;
  let durableWrites = 0;
  let inTransaction = false;

  DatabaseSync.prototype.exec = function countedExec(sql: string) {
    statements += 1;
    exec.call(this, sql);
    if (sql === 'commit') durableWrites += 1;
    inTransaction = this.isTransaction;
  };
  StatementSync.prototype.run = new Proxy(run, {
    apply(target, statement, values) {
      statements += 1;
      const result: ReturnType<typeof run> = Reflect.apply(target, statement, values);
      if (!inTransaction && Number(result.changes) > 0) durableWrites += 1;
      return result;
    },
  });
  const counted = <Method extends (...values: never[]) => unknown>(method: Method): Method =>
    new Proxy(method, {
      apply(target, statement, values) {
        statements += 1;
        return Reflect.apply(target, statement, values);
      },
    });
  StatementSync.prototype.get = counted(get);
  StatementSync.prototype.all = counted(all);

  return {
    counts: () => ({ statements, durableWrites }),
    stop() {
      DatabaseSync.prototype.exec = exec;
      Object.assign(StatementSync.prototype, { run, get, all });
    },
  };
}
