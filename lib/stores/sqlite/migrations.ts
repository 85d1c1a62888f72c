import type { DatabaseSync } from 'node:sqlite';
import { CountersignError } from '../../protocol/index.ts';
import { transaction } from './transaction.ts';

/**
 * The schema, as a list of migration steps. Step n migrates from `user_version` n-1 to n. A released step is never
 * edited.
 *
 * - Chats have a numeric key, so each row of the log refers to its chat in a few bytes. `events` keeps its rowid:
 *   without one, every body above 1,000 bytes would need an overflow page.
 * - `events.batch` marks the first event of an append that has an id. It and a claim are stored as digests.
 * - An index on the time of a chat's last change would cost each append a page or two, so chats are found by the `hour` or
 *   `second` of that change, which most appends leave as it is. A list of chats sorts those of the same step of its
 *   index: an hour may contain all chats of a person, a second cannot. Triggers move them, because an update that names an
 *   indexed column writes its index even if the value is unchanged.
 * - `feed` contains the newest place of an erased question or of a notice. A notice is a place of the feed for an event that
 *   is not about a question, or about `notices.question`. A question was opened at `opened`, and it was settled or
 *   withdrawn at `ended`: its row changes again when the outcome of its call becomes known.
 * - An import looks for any erasure of its chat. The kept text of an erased chat is deleted before its row, which stays.
 * - Cursors that clients receive are encrypted with the key in `store_keys`, because they count the rows of all people.
 */
export const migrations: readonly string[] = [
  `
  create table chats (
    chat integer primary key,
    id text not null unique,
    owner text not null,
    title text not null,
    created_at integer not null,
    updated_at integer not null,
    seq integer not null,
    turn_seq integer not null,
    status text not null,
    run text,
    open text,
    audit_head text,
    lease_owner text,
    lease_until integer,
    hour integer not null,
    second integer not null
  ) strict;
  create index chats_by_owner on chats (owner, second);
  create index chats_by_hour on chats (hour);
  create index chats_by_lease on chats (lease_until) where lease_until is not null;
  create trigger next_second after update of updated_at on chats when new.updated_at / 1000 <> old.second begin
    update chats set second = new.updated_at / 1000 where chat = new.chat;
  end;
  create trigger next_hour after update of updated_at on chats when new.updated_at / 3600000 <> old.hour begin
    update chats set hour = new.updated_at / 3600000 where chat = new.chat;
  end;

  create table events (
    chat integer not null references chats on delete cascade,
    seq integer not null,
    at integer not null,
    run text not null,
    body text not null,
    batch text,
    claim text,
    unique (chat, seq)
  ) strict;
  create unique index claims on events (chat, claim) where claim is not null;

  create table questions (
    question integer primary key,
    id text not null unique,
    chat integer not null references chats on delete cascade,
    owner text not null,
    state text not null,
    requested_at integer not null,
    deadline integer,
    change integer not null unique,
    opened integer not null,
    ended integer,
    body text not null
  ) strict;
  create index questions_by_chat on questions (chat, state);
  create index questions_by_owner on questions (owner, state, requested_at);
  create index questions_by_state on questions (state, requested_at);
  create index questions_by_deadline on questions (deadline) where state = 'open' and deadline is not null;
  create index questions_by_event on questions (ifnull(ended, change));

  create table feed (one integer primary key check (one = 1), last integer not null) strict;
  insert into feed values (1, 0);

  create table notices (
    place integer primary key,
    chat integer not null references chats on delete cascade,
    seq integer not null,
    question text
  ) strict;
  create index notices_by_chat on notices (chat);

  create table calls (
    chat integer not null references chats on delete cascade,
    call text not null,
    digest text not null,
    asker text not null,
    at integer not null,
    primary key (chat, call)
  ) strict, without rowid;
  create index calls_by_digest on calls (digest, at);

  create table results (
    chat integer not null references chats on delete cascade,
    result text not null,
    part integer not null,
    body text not null,
    primary key (chat, result, part)
  ) strict;

  create table records (
    record integer primary key,
    plugin text not null,
    kind text not null,
    key text not null,
    chat integer references chats on delete cascade,
    owner text,
    due_at integer,
    sort integer not null,
    version integer not null,
    value text not null,
    unique (plugin, kind, key)
  ) strict;
  create index records_by_owner on records (owner, plugin, kind, sort) where owner is not null;
  create index records_due on records (plugin, kind, due_at) where due_at is not null;
  create index records_by_chat on records (chat) where chat is not null;

  create table stop_requests (
    chat integer not null references chats on delete cascade,
    run text not null,
    primary key (chat, run)
  ) strict, without rowid;

  create table erasures (
    erasure integer primary key,
    chat_id text not null,
    erased_by text not null,
    at integer not null,
    record text
  ) strict;
  create index erasures_kept on erasures (at) where record is not null;
  create index erasures_by_chat on erasures (chat_id, at);

  create table instances (
    id text primary key, until integer not null, outdated text not null, plugins text not null
  ) strict, without rowid;
  create index instances_by_until on instances (until);

  create table store_keys (name text primary key, value blob not null) strict, without rowid;
  insert into store_keys values ('cursors', randomblob(32));

  create table sessions (
    number integer primary key,
    id text not null unique,
    person text not null,
    created_at integer not null,
    seen_at integer not null,
    until integer not null,
    principal text not null
  ) strict;
  create index sessions_by_person on sessions (person, created_at);
  create index sessions_by_until on sessions (until);

  create table subscriptions (
    id text primary key,
    place integer not null,
    began integer not null,
    due_through integer not null,
    lease_owner text not null,
    lease_until integer not null
  ) strict, without rowid;

  create table undelivered (
    number integer primary key,
    subscription text not null,
    id text not null,
    lane text not null,
    due_at integer not null,
    dead_at integer,
    body text not null,
    unique (subscription, id)
  ) strict;
  create index undelivered_due on undelivered (subscription, due_at) where dead_at is null;
  create index undelivered_by_lane on undelivered (subscription, lane, number) where dead_at is null;
  create index undelivered_dead on undelivered (dead_at) where dead_at is not null;
  `,
];

/**
 * Migrates a database to the newest schema: all missing steps in one transaction. After a crash, or for a second
 * process that opens the file at the same time, the schema is either the old or the new one.
 *
 * @throws CountersignError `internal` if a newer version wrote the database
 */
export function migrate(db: DatabaseSync, steps: readonly string[] = migrations): void {
  if (versionOf(db) === steps.length) return;
  transaction(db, () => {
    const version = versionOf(db);
    if (version > steps.length) {
      throw new CountersignError(
        'internal',
        `The database has schema ${version}, but this version of countersign supports up to ${steps.length}. ` +
          'Upgrade countersign, or use another file.',
        { schema: version, known: steps.length },
      );
    }
    for (const step of steps.slice(version)) db.exec(step);
    db.exec(`pragma user_version = ${steps.length}`);
  });
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('pragma user_version').get()?.user_version);
}
