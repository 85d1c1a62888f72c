import { type TableName, tables } from './append-rows.ts';

/** A batch may wait for its own chat, but must not make those of other chats wait. */
export type OnLocked = 'wait' | 'skip';

/**
 * Writes any number of batches, each of another chat, as one statement: one round trip and one transaction, which is
 * rolled back if any part fails. Parameters: the channel, then the columns of the tables that are used.
 *
 * Returns the places of the batches that were appended. The others were skipped, or refused by the head (also the head
 * of another chat that reuses the id of an erased one), the lease, a stop request or a record that is not
 * as expected. A claim that is taken violates the index `claims`, and a record that was created since `records_by_key`. Records
 * are locked before they are changed. So a concurrent deletion comes either before the append, which then finds no record,
 * or after it.
 *
 * Postgres runs the parts in any order, but each part runs after those it reads from. So the chats' rows are locked
 * first, and the second writer is checked against what the first one wrote. That applies to the row only, so the row
 * contains the runs that were asked to stop. When a run begins, the row drops the other runs, so that it stays small; a
 * run that was asked to stop before that is found in the table of stop requests.
 *
 * The feed's counter is a row, not a sequence. A sequence could give 7 and 8 to two transactions of which 8 commits
 * first: a reader that has seen 8 continues from there and never sees 7. The row's lock is held until the commit, so 8
 * is not assigned before 7 is visible. Batches without questions do not touch it, and notices do only while there is a
 * subscription.
 *
 * @param schema quoted
 * @param used the tables with rows, `batch` and `event` among them. A part of a statement costs time even without rows
 * @source ADR 0009
 */
export function appendStatement(schema: string, onLocked: OnLocked, used: readonly TableName[]): string {
  const skips = onLocked === 'skip';
  const has = (table: TableName) => used.includes(table);
  const { parameter, rows } = parametersOf(used);
  const free = `free as (
    select chat from ${schema}.chats where id = any(${parameter('batch', 'id')}) for update skip locked
  ),`;
  const notRefused = has('record')
    ? 'and not exists (select from refused where refused.place = batch.place)'
    : '';
  const parts = [
    `written as (
      insert into ${schema}.events (chat, seq, at, batch, run, claim, body)
      select chat, seq, at, mark, run, sha256(convert_to(claim, 'UTF8')), body
      from ${rows('event')} join appended using (place)
    )`,
    ...feedParts(schema, has, rows),
    ...(has('call') ? [callPart(schema, rows('call'))] : []),
    ...(has('record') ? recordParts(schema, rows('record')) : []),
  ];
  return `with batch as materialized (select * from ${rows('batch')}),
    ${has('record') ? expectedParts(schema, rows('record'), skips) : ''}
    ${skips ? free : ''}
    moved as (
      update ${schema}.chats set updated_at = batch.updated_at, seq = batch.seq, turn_seq = batch.turn_seq,
        status = batch.status, run = batch.run, open = batch.open, audit_head = batch.audit_head,
        touched = pg_current_xact_id(),
        stopped = case when batch.run = any(chats.stopped) then array[batch.run] end,
        lease_owner = case when batch.leases then batch.lease_owner else chats.lease_owner end,
        lease_until = case when batch.leases then batch.lease_until else chats.lease_until end
      from batch
      where chats.id = batch.id and chats.seq = batch.after and batch.after > 0
        and chats.created_at = batch.created_at and (chats.status = 'active' or chats.owner = batch.owner)
        and (chats.lease_until is null or chats.lease_owner = batch.writer or chats.lease_until <= batch.at)
        ${notRefused}
        and (batch.guarded is null or (
          not coalesce(chats.stopped && batch.guarded::text[], false)
          and (select true from ${schema}.stop_requests r
            where r.chat = chats.chat and r.run = any(batch.guarded::text[]) limit 1) is null
        ))
        ${skips ? 'and chats.chat in (select chat from free)' : ''}
      returning chats.chat, batch.place
    ),
    created as (
      insert into ${schema}.chats (id, updated_at, seq, turn_seq, status, run, open, audit_head, touched,
        lease_owner, lease_until, owner, title, created_at)
      select id, updated_at, seq, turn_seq, status, run, open, audit_head, pg_current_xact_id(),
        case when leases then lease_owner end, case when leases then lease_until end, owner, title, created_at
      from batch where after = 0 ${notRefused}
      on conflict (id) do nothing
      returning chat, id
    ),
    appended as materialized (
      select chat, place from moved
      union all
      select created.chat, batch.place from created join batch on batch.id = created.id
    ),
    ${parts.join(',\n    ')}
    select place, pg_notify($1, notification) from appended join batch using (place)`;
}

/** The records that are locked, and the batches that they refuse. */
function expectedParts(schema: string, records: string, skips: boolean): string {
  return `known as (
      select known.* from ${records} cross join lateral (
        select r.plugin, r.kind, r.key, r.version from ${schema}.records r
        where r.plugin = record.plugin and r.kind = record.kind and r.key = record.key
        for update${skips ? ' skip locked' : ''}
      ) as known
    ),
    refused as (
      select place from ${records} left join known using (plugin, kind, key)
      where coalesce(known.version, 0) <> record.expects
    ),`;
}

/** The questions, notices and their places in the feed. */
function feedParts(
  schema: string,
  has: (table: TableName) => boolean,
  rows: (table: TableName) => string,
): string[] {
  const changed = `changed as materialized (
      select question.*, chat, row_number() over (order by nth) as turn
      from ${rows('question')} join appended using (place)
    )`;
  const noticed = `noticed as materialized (
      select chat, seq, question, row_number() over (order by nth) as turn
      from ${rows('notice')} join appended using (place)
      where exists (select from ${schema}.subscriptions where id >= '')
    )`;
  const count = (table: TableName, part: string) => (has(table) ? `(select count(*) from ${part})` : '0');
  const changes = count('question', 'changed');
  const counted = `counted as (
      update ${schema}.feed set last = last + turns
      from (select ${changes} + ${count('notice', 'noticed')} as turns) as due
      where feed.one and turns > 0 returning last - turns as before
    )`;
  const asked = `asked as (
      insert into ${schema}.questions
        (id, chat, owner, state, requested_at, deadline, change, opened, ended, body)
      select id, chat, owner, state, requested_at, deadline, before + turn, before + turn,
        case when state <> 'open' then before + turn end, body
      from changed, counted order by turn
      on conflict (id, chat) do update
      set state = excluded.state, change = excluded.change, body = excluded.body,
        ended = coalesce(questions.ended, excluded.ended)
    )`;
  const noted = `noted as (
      insert into ${schema}.notices (place, chat, seq, question)
      select before + ${changes} + turn, chat, seq, question from noticed, counted
    )`;
  return [
    ...(has('question') ? [changed] : []),
    ...(has('notice') ? [noticed] : []),
    ...(has('question') || has('notice') ? [counted] : []),
    ...(has('question') ? [asked] : []),
    ...(has('notice') ? [noted] : []),
  ];
}

function callPart(schema: string, calls: string): string {
  return `called as (
      insert into ${schema}.calls (chat, call, digest, asker, at)
      select chat, call.id, digest, asker, at from ${calls} join appended using (place)
      on conflict (chat, call) do nothing
    )`;
}

/** The records, in one order. A record that must be new violates an index if it is not. */
function recordParts(schema: string, records: string): string[] {
  const ofAppended = `insert into ${schema}.records (plugin, kind, key, chat, owner, due_at, sort, value, version)
      select plugin, kind, key, case when here then chat end, owner, due_at, sort, value, 1
      from ${records} join appended using (place) where not deleted and expects`;
  return [
    `kept as (
      ${ofAppended} is distinct from 0
      order by plugin, kind, key
      on conflict (plugin, kind, key) do update set chat = excluded.chat, owner = excluded.owner,
        due_at = excluded.due_at, sort = excluded.sort, value = excluded.value, version = records.version + 1
    )`,
    `added as (
      ${ofAppended} = 0
      order by plugin, kind, key
    )`,
    `dropped as (
      delete from ${schema}.records r using ${records} join appended using (place)
      where deleted and r.plugin = record.plugin and r.kind = record.kind and r.key = record.key
    )`,
  ];
}

/** The first parameter is the channel. */
function parametersOf(used: readonly TableName[]) {
  const parameters = used.flatMap((table) =>
    Object.entries(tables[table]).map(([column, type]) => ({ table, column, type })),
  );

  function parameter(table: TableName, column: string): string {
    const index = parameters.findIndex((each) => each.table === table && each.column === column);
    const type = parameters[index]?.type;
    return type === 'lines' ? `string_to_array($${index + 2}::text, chr(10))` : `$${index + 2}::${type}[]`;
  }

  function rows(table: TableName): string {
    const columns = Object.keys(tables[table]);
    const arrays = columns.map((column) => parameter(table, column));
    return `unnest(${arrays.join(', ')}) as ${table} (${columns.join(', ')})`;
  }

  return { parameter, rows };
}
