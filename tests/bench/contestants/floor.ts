import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { createGroups } from '../../../lib/stores/groups.ts';
import { createBareChats } from '../support/bare-chats.ts';
import type { Contestant, ContestantSettings, Durable } from '../support/contestant.ts';

/** Not a contestant: bare model steps, and as many bare commits of as many bytes as a flow of ours has, ten connections. */
export async function openBareOnPostgres({
  connectionString,
  durable = nothing,
}: ContestantSettings): Promise<Contestant> {
  const pool = new pg.Pool({ connectionString, max: 10 });
  await pool.query('create table if not exists floor_flows (body text not null)');
  const write = (row: string) =>
    pool.query({ name: 'floor', text: 'insert into floor_flows values ($1)', values: [row] });
  return bare(durable, write, () => pool.end());
}

/** The same on SQLite. Rows that come together share a commit, as ours do. */
export async function openBareOnSqlite({
  folder,
  durable = nothing,
}: ContestantSettings): Promise<Contestant> {
  const db = new DatabaseSync(join(folder, 'floor.sqlite'));
  db.exec('pragma journal_mode=wal; pragma synchronous=full; create table floor (body text not null) strict');
  const insert = db.prepare('insert into floor values (?)');
  const groups = createGroups(async (rows: readonly string[]) => {
    db.exec('begin immediate');
    const written = rows.map((row) => insert.run(row));
    db.exec('commit');
    return written;
  });
  return bare(durable, groups.add, async () => db.close());
}

const nothing: Durable = { writes: 0, bytesEach: 0 };

function bare(
  { writes, bytesEach }: Durable,
  write: (row: string) => Promise<unknown>,
  close: () => Promise<void>,
): Contestant {
  const chats = createBareChats();
  const row = 'x'.repeat(bytesEach);
  const respond = async (id: string, after: 'words' | 'result') => {
    await write(row);
    const open: string[] = [];
    for await (const part of chats.step(id, after)) {
      if (part.type === 'tool-approval-request') open.push(part.approvalId);
    }
    for (let written = 1; written < writes; written += 1) await write(row);
    if (open.length === 0) chats.forget(id);
    return open;
  };
  return {
    chat: (id) => ({ begin: () => respond(id, 'words'), answer: () => respond(id, 'result') }),
    close,
  };
}
