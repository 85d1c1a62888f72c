import type { ClientBase } from 'pg';
import { CountersignError } from '../../protocol/index.ts';

/**
 * The schema, as a list of migration steps. Step n migrates from version n-1 to n. A released step is never edited.
 * Each step runs with the schema as its search path. What the tables have in common with those of SQLite is documented
 * there.
 *
 * - Text from outside is stored as JSON (`exactText`), and so are bodies: `jsonb` would refuse a NUL, reorder keys and
 *   round numbers.
 * - An owner may be any string, and an index entry has at most 2,704 bytes. So owners are found by a hash and then
 *   compared. Claims are stored as their SHA-256 for the same reason.
 * - `batch` marks the first event of each append, to identify appends whose acknowledgement was lost.
 * - `touched` is the transaction of the last change that others are notified of. After a gap in listening it shows
 *   which chats changed in the meantime.
 * - `stopped` names the runs that were asked to stop, like `stop_requests`. An append that waited for its chat's row
 *   sees the current row, but other tables as they were when it began.
 * - An append updates by `questions (id, chat)`; a question of another chat violates `questions (id)`.
 * - A foreign key looks up its chat once for each row. The append has already locked that chat, so a key is only needed
 *   when a chat is erased; the trigger `erase_log` replaces it there. Each of its statements sees what was committed before
 *   it, including the append that the erasure waited for.
 * - Chats have no number twice, so the notice of an erased chat finds nothing until it is deleted.
 * - A list of chats counts their open questions by `questions_open`. If few questions were open when statistics were made,
 *   Postgres would find them by state, and read the open questions of all chats for each chat. `is true` prevents that:
 *   only this index fits.
 * - The key in `store_keys` is made of three random UUIDs with 122 bits each.
 */
export const migrations: readonly string[] = [
  `
  create table chats (
    chat bigint generated always as identity primary key,
    id text not null unique,
    owner text not null,
    title text not null,
    created_at bigint not null,
    updated_at bigint not null,
    seq bigint not null,
    turn_seq bigint not null,
    status text not null,
    run text,
    open text,
    audit_head text,
    lease_owner text,
    lease_until bigint,
    touched xid8 not null,
    stopped text[]
  );
  create index chats_by_owner on chats (hashtextextended(owner, 0), updated_at, chat);
  create index chats_by_lease on chats (lease_until) where lease_until is not null;
  create index chats_at_rest on chats (updated_at) where status <> 'active';
  create index chats_by_touch on chats (touched);

  create table events (
    chat bigint not null,
    seq bigint not null,
    at bigint not null,
    batch uuid,
    run text not null,
    claim bytea,
    body text not null,
    primary key (chat, seq)
  );
  create unique index claims on events (chat, claim) where claim is not null;

  create table questions (
    question bigint generated always as identity primary key,
    id text not null constraint questions_by_id unique,
    chat bigint not null,
    owner text not null,
    state text not null,
    requested_at bigint not null,
    deadline bigint,
    change bigint not null unique,
    opened bigint not null,
    ended bigint,
    body text not null,
    unique (id, chat)
  );
  create index questions_by_chat on questions (chat, state);
  create index questions_open on questions (chat) where (state = 'open') is true;
  create index questions_by_owner on questions (hashtextextended(owner, 0), state, requested_at, question);
  create index questions_by_state on questions (state, requested_at, question);
  create index questions_by_deadline on questions (deadline) where state = 'open' and deadline is not null;
  create index questions_by_event on questions (coalesce(ended, change));

  create table feed (one boolean primary key default true check (one), last bigint not null);
  insert into feed (last) values (0);

  create table notices (place bigint primary key, chat bigint not null, seq bigint not null, question text);

  create table calls (
    chat bigint not null,
    call text not null,
    digest text not null,
    asker text not null,
    at bigint not null,
    primary key (chat, call)
  );
  create index calls_by_digest on calls (digest, at);

  create table results (
    chat bigint not null references chats on delete cascade,
    result text not null,
    part integer not null,
    body text not null,
    primary key (chat, result, part)
  );

  create table records (
    record bigint generated always as identity primary key,
    plugin text not null,
    kind text not null,
    key text not null,
    chat bigint references chats on delete cascade,
    owner text,
    due_at bigint,
    sort bigint not null,
    version bigint not null,
    value text not null,
    constraint records_by_key unique (plugin, kind, key)
  );
  create index records_by_owner on records (hashtextextended(owner, 0), plugin, kind, sort, record) where owner is not null;
  create index records_due on records (plugin, kind, due_at) where due_at is not null;
  create index records_by_chat on records (chat) where chat is not null;

  create table stop_requests (
    chat bigint not null references chats on delete cascade,
    run text not null,
    primary key (chat, run)
  );

  create table erasures (
    erasure bigint generated always as identity primary key,
    chat_id text not null,
    erased_by text not null,
    at bigint not null,
    touched xid8 not null,
    record text
  );
  create index erasures_by_touch on erasures (touched);
  create index erasures_kept on erasures (at, erasure) where record is not null;
  create index erasures_by_chat on erasures (chat_id, at, erasure);

  create function erase_log() returns trigger language plpgsql set search_path from current as $$
    begin
      delete from events where chat = old.chat;
      delete from questions where chat = old.chat;
      delete from calls where chat = old.chat;
      return null;
    end
  $$;
  create trigger erase_log after delete on chats for each row execute function erase_log();

  create table instances (id text primary key, until bigint not null, outdated text not null, plugins text not null);
  create index instances_by_until on instances (until);

  create table store_keys (name text primary key, value bytea not null);
  insert into store_keys values ('cursors', decode(replace(
    gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

  create table sessions (
    number bigint generated always as identity primary key,
    id text not null unique,
    person text not null,
    created_at bigint not null,
    seen_at bigint not null,
    until bigint not null,
    principal text not null
  );
  create index sessions_by_person on sessions (hashtextextended(person, 0), created_at, number);
  create index sessions_by_until on sessions (until);

  create table subscriptions (
    id text primary key,
    place bigint not null,
    began bigint not null,
    due_through bigint not null,
    lease_owner text not null,
    lease_until bigint not null
  );

  create table undelivered (
    number bigint generated always as identity primary key,
    subscription text not null,
    id text not null,
    lane text not null,
    due_at bigint not null,
    dead_at bigint,
    body text not null,
    unique (subscription, id)
  );
  create index undelivered_due on undelivered (subscription, due_at) where dead_at is null;
  create index undelivered_by_lane on undelivered (subscription, lane, number) where dead_at is null;
  create index undelivered_dead on undelivered (dead_at, number) where dead_at is not null;
  `,
];

/**
 * Migrates a schema to the newest version: all missing steps in one transaction, by one instance at a time. Other
 * instances wait and then find nothing to do. A current schema needs no privilege to change it.
 *
 * @param client not in a transaction; close it when this throws, which releases its locks
 * @throws CountersignError `internal` if a newer version wrote the schema, or the database does not use UTF-8
 */
export async function migrate(client: ClientBase, schema: string, steps = migrations): Promise<void> {
  if ((await versionOf(client, schema, steps.length)) === steps.length) return;
  // An advisory lock, not a lock on the schema: the schema may not exist yet, and concurrent `create schema if not
  // exists` fails. And not in a transaction: one that began before the wait would look up tables in a stale cache.
  const lock = [`countersign schema ${schema}`];
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', lock);
  await client.query('begin');
  const version = await versionOf(client, schema, steps.length);
  if (version < steps.length) {
    if (version === 0) await client.query(`create schema if not exists "${schema}"`);
    await client.query(`set local search_path = "${schema}"`);
    if (version === 0) await client.query('create table schema_version (version integer not null)');
    for (const step of steps.slice(version)) await client.query(step);
    await client.query('delete from schema_version');
    await client.query('insert into schema_version values ($1)', [steps.length]);
  }
  await client.query('commit');
  await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', lock);
}

/** The version of a schema; 0 if it does not exist. */
async function versionOf(client: ClientBase, schema: string, known: number): Promise<number> {
  const table = `"${schema}".schema_version`;
  const about = await client.query<{ there: boolean; encoding: string }>(
    `select to_regclass($1) is not null as there, current_setting('server_encoding') as encoding`,
    [table],
  );
  const encoding = about.rows[0]?.encoding;
  if (encoding !== 'UTF8') {
    throw new CountersignError(
      'internal',
      `The database is encoded in ${encoding}. Create one with: create database … encoding 'UTF8' template template0`,
    );
  }
  if (!about.rows[0]?.there) return 0;
  const found = await client.query<{ version: number }>(`select version from ${table}`);
  const version = found.rows[0]?.version ?? 0;
  if (version <= known) return version;
  throw new CountersignError(
    'internal',
    `The schema ${schema} has version ${version}, but this version of countersign supports up to ${known}. ` +
      'Upgrade countersign, or use another schema.',
    { version, known },
  );
}
