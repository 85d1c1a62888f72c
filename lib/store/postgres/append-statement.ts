/** The two ways in which an append begins: with the head that it moves, or with the chat that it creates. */
export type Beginning = 'move' | 'create';

/**
 * One append as one statement: one round trip, one transaction, nothing of it when any part fails. Parameters, in
 * the order `append` gives them:
 *
 *  1 chat · 2 after · 3 updated at · 4 seq · 5 turn seq · 6 status · 7 run · 8 open · 9 audit head
 * 10 lease given · 11 its owner · 12 its end · 13 instance · 14 at (of the last event) · 15 batch
 * events: 16 seqs · 17 ats · 18 runs · 19 claims · 20 bodies
 * questions: 21 ids · 22 owners · 23 states · 24 requested ats · 25 deadlines · 26 bodies
 * 27 channel · 28 wake
 * grants: 29 ids · 30 keys · 31 persons · 32 for this chat alone · 33 created ats · 34 bodies · 35 ids of used ones
 * when creating: 36 owner · 37 title · 38 created at
 *
 * Returns a row when it was appended, none when the head, the lease or a grant that is gone forbids it; a claim that
 * is taken violates the index `claims`. A used grant is locked before it is counted, so a revocation at the same time
 * comes before the append, which then finds nothing, or after it.
 *
 * Postgres runs the parts in any order, but each after those it reads from. So the chat's row is locked first:
 * whoever comes second waits there, and is judged by what the first one left.
 *
 * The feed's counter is a row, not a sequence. A sequence hands out 7 and 8 to two transactions of which 8 may
 * commit first: a reader who has seen 8 goes on from there, and never sees 7. The row's lock is held until the
 * commit, so 8 is not even given before 7 can be seen. Batches without questions leave it alone.
 *
 * @param schema quoted
 * @source ADR 0009
 */
export function appendStatement(schema: string, beginning: Beginning): string {
  return `with leaned as (select id from ${schema}.grants where id = any($35::text[]) for update),
    moved as (${begin[beginning](schema)} returning chat),
    written as (
      insert into ${schema}.events (chat, seq, at, batch, run, claim, body)
      select moved.chat, e.seq, e.at, case when e.seq = $2::bigint + 1 then $15::uuid end, e.run,
        sha256(convert_to(e.claim, 'UTF8')), e.body
      from moved, unnest($16::bigint[], $17::bigint[], $18::text[], $19::text[], $20::text[])
        as e (seq, at, run, claim, body)
    ),
    counted as (
      update ${schema}.feed set last = last + cardinality($21::text[]) from moved
      where feed.one and cardinality($21::text[]) > 0 returning last
    ),
    asked as (
      insert into ${schema}.questions (id, chat, owner, state, requested_at, deadline, change, body)
      select q.id, moved.chat, q.owner, q.state, q.requested_at, q.deadline,
        counted.last - cardinality($21::text[]) + q.place, q.body
      from moved, counted,
        unnest($21::text[], $22::text[], $23::text[], $24::bigint[], $25::bigint[], $26::text[])
        with ordinality as q (id, owner, state, requested_at, deadline, body, place)
      order by q.place
      on conflict (id, chat) do update set state = excluded.state, change = excluded.change, body = excluded.body
    ),
    granted as (
      insert into ${schema}.grants (id, key, person, chat, created_at, body)
      select g.id, g.key, g.person, case when g.here then moved.chat end, g.created_at, g.body
      from moved, unnest($29::text[], $30::text[], $31::text[], $32::boolean[], $33::bigint[], $34::text[])
        as g (id, key, person, here, created_at, body)
      on conflict (key) do nothing
    ),
    used as (
      update ${schema}.grants set uses = uses + 1, last_used_at = $14::bigint from moved
      where grants.id = any($35::text[])
    )
    select pg_notify($27, $28) from moved`;
}

/** A chat's owner, title and creation are its first append's to say: a later head may be older than a rename. */
const begin: Readonly<Record<Beginning, (schema: string) => string>> = {
  move: (schema) => `
    update ${schema}.chats set updated_at = $3::bigint, seq = $4::bigint, turn_seq = $5::bigint, status = $6,
      run = $7, open = $8, audit_head = $9, touched = pg_current_xact_id(),
      lease_owner = case when $10::boolean then $11::text else lease_owner end,
      lease_until = case when $10::boolean then $12::bigint else lease_until end
    where id = $1 and seq = $2::bigint
      and (lease_until is null or lease_owner = $13::text or lease_until <= $14::bigint)
      and (select count(*) from leaned) = cardinality($35::text[])`,
  create: (schema) => `
    insert into ${schema}.chats (id, updated_at, seq, turn_seq, status, run, open, audit_head, touched,
      lease_owner, lease_until, owner, title, created_at)
    select $1, $3::bigint, $4::bigint, $5::bigint, $6, $7, $8, $9, pg_current_xact_id(),
      case when $10::boolean then $11::text end, case when $10::boolean then $12::bigint end,
      $36, $37, $38::bigint
    where $2::bigint = 0 and $13::text is not null and $14::bigint is not null
      and (select count(*) from leaned) = cardinality($35::text[])
    on conflict (id) do nothing`,
};
