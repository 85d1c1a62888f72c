import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Gives work a database file; `settle` closes what was opened on it. */
export async function withSqlite({ sqliteStore }, work) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-fixture-'));
  const path = join(folder, 'chats.sqlite');
  const opened = [];
  const open = () => {
    const store = sqliteStore({ path });
    opened.push(store);
    return store;
  };
  const settle = () => Promise.all(opened.map((store) => store.close()));
  await work({ open, path, settle });
  rmSync(folder, { recursive: true });
}

/** All of a database as SQL, a row a line. */
export function dumpSqlite(path) {
  const db = new DatabaseSync(path);
  const made = db
    .prepare("select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite%'")
    .all();
  const tables = made.filter(({ type }) => type === 'table');
  const lines = ['pragma foreign_keys = off;', 'begin;', ...tables.map(({ sql }) => `${sql};`)];
  for (const { name } of tables) {
    const columns = db.prepare(`select name from pragma_table_info('${name}')`).all();
    const values = columns.map((column) => `quote("${column.name}")`).join(" || ', ' || ");
    const rows = db.prepare(`select ${values} as row from ${name} order by 1`).all();
    lines.push(...rows.map(({ row }) => `insert into ${name} values (${row});`));
  }
  lines.push(...made.filter(({ type }) => type !== 'table').map(({ sql }) => `${sql};`));
  const { user_version: version } = db.prepare('pragma user_version').get();
  lines.push('commit;', `pragma user_version = ${version};`, 'pragma journal_mode = wal;');
  db.close();
  return `${lines.join('\n')}\n`;
}
