import { DatabaseSync } from 'node:sqlite';
import { offer } from '../support/worker-process.ts';

let db: DatabaseSync | undefined;

/** Another process that writes to the same file, and takes its time. */
offer({
  /** Takes the write lock now, and gives it back after `ms`. */
  hold(path: string, ms: number): void {
    const held = new DatabaseSync(path);
    db = held;
    held.exec('begin immediate');
    setTimeout(() => held.exec('rollback'), ms);
  },

  close: () => db?.close(),
});
