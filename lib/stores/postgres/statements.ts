import type { TableName } from './append/append-rows.ts';
import { appendStatement, type OnLocked } from './append/append-statement.ts';
import { recordStatements } from './record-statements.ts';

export type Statement = { readonly name: string; readonly text: string };

/** The server's clock at the time of the call, in epoch milliseconds; not the start of the transaction. */
const now = 'extract(epoch from clock_timestamp())::float8 * 1000 as now';
const head = 'id, owner, title, created_at, updated_at, seq, turn_seq, status, run, open, audit_head';
const hashed = 'hashtextextended(owner, 0) = hashtextextended($1, 0) and owner = $1';
const chatOf = (s: string) => `(select chat from ${s}.chats where id = $1)`;
/** As in `questions_by_event`. */
const eventPlace = 'coalesce(q.ended, q.change)';
const placedQuestion = (s: string) =>
  `${eventPlace} as place, q.opened, q.id, c.id as chat_id, q.owner, q.state, q.requested_at, q.body
    from ${s}.questions q join ${s}.chats c on c.chat = q.chat`;

/** Every statement, found by an index and its own transaction, safe to repeat. @param schema checked by `checkSchema` */
export function statementsFor(schema: string) {
  const s = `"${schema}"`;
  const fixed = named({
    ...refusalStatements(s),
    ...chatStatements(s),
    ...erasureStatements(s),
    ...questionStatements(s),
    ...recordStatements(s),
    ...runStatements(s),
    ...instanceStatements(s),
    ...sessionStatements(s),
    ...resultStatements(s),
    ...notificationStatements(s),
    ...subscriptionStatements(s),
    cursorKey: `select value from ${s}.store_keys where name = 'cursors'`,
    time: `select ${now}`,
  });
  return { ...fixed, append: appendStatements(s) };
}

export type Statements = ReturnType<typeof statementsFor>;

/** The statements of appends, one for each set of tables, made when it is first needed. */
function appendStatements(s: string) {
  const made = new Map<string, Statement>();
  return (onLocked: OnLocked, used: readonly TableName[]): Statement => {
    const name = `countersign append ${onLocked} ${used.join(' ')}`;
    const statement = made.get(name) ?? { name, text: appendStatement(s, onLocked, used) };
    made.set(name, statement);
    return statement;
  };
}

/** Why an append was refused. */
function refusalStatements(s: string) {
  return {
    batchAt: `select 1 from ${s}.events where chat = ${chatOf(s)} and seq = $2 and batch = $3`,
    stopAlone: `select 1 from ${s}.chats c where id = $1 and seq = $2
      and (lease_until is null or lease_owner = $3 or lease_until <= $4)
      and (coalesce(stopped && $5::text[], false)
        or (select true from ${s}.stop_requests r where r.chat = c.chat and r.run = any($5::text[]) limit 1))
      and (select true from ${s}.events e where e.chat = c.chat and e.claim is not null and e.claim = any(array(
        select sha256(convert_to(claimed, 'UTF8')) from unnest($6::text[]) as claimed)) limit 1) is null`,
  };
}

function chatStatements(s: string) {
  return {
    events: `select seq, at, run, body from ${s}.events where chat = ${chatOf(s)} and seq > $2 order by seq limit $3`,
    heads: `select ${head} from ${s}.chats where id = any($1::text[])`,
    // The condition of `questions_open`, which no other index has.
    chats: `select chat, ${head},
      (select count(*) from ${s}.questions q where q.chat = c.chat and (q.state = 'open') is true) as open_count
      from ${s}.chats c where ${hashed} and (updated_at, chat) < ($2, $3)
      order by updated_at desc, chat desc limit $4`,
    staleChats: `select id from ${s}.chats where status <> 'active' and updated_at < $1 order by updated_at limit $2`,
    sealedChats: `select chat, ${head} from ${s}.chats
      where status <> 'active' and audit_head is not null and updated_at >= $1 and (updated_at, chat) > ($2, $3)
      order by updated_at, chat limit $4`,
    changedChats: `select chat, ${head} from ${s}.chats
      where status <> 'active' and updated_at >= $1 and (updated_at, chat) > ($2, $3)
      order by updated_at, chat limit $4`,
    rename: `update ${s}.chats set title = $2 where id = $1`,
    // Before the chats, because these rows are found by the chats' owner.
    reassignCalls: `update ${s}.calls set asker = $2
      where asker = $1 and chat = any(array(select chat from ${s}.chats where ${hashed}))`,
    reassignQuestions: `update ${s}.questions set owner = $2 where ${hashed}`,
    reassignRecords: `update ${s}.records set owner = $2 where ${hashed}`,
    reassignChats: `update ${s}.chats set owner = $2 where ${hashed}`,
  };
}

function erasureStatements(s: string) {
  const kept = `erasure, chat_id, erased_by, at, record from ${s}.erasures where record is not null`;
  return {
    erase: `with erased as (delete from ${s}.chats where id = $1 and seq = coalesce($7::bigint, seq) returning id),
      recorded as (insert into ${s}.erasures (chat_id, erased_by, at, touched, record)
        select id, $2::text, $3::bigint, pg_current_xact_id(), $4::text from erased)
      select pg_notify($5, $6) from erased`,
    lockErasures: `lock table ${s}.erasures in share mode`,
    erasedAt: `select max(at) as at from ${s}.erasures where chat_id = $1`,
    keptRecords: `select ${kept} and (at, erasure) < ($1, $2) order by at desc, erasure desc limit $3`,
    keptRecordsOf: `select ${kept} and chat_id = $1 and (at, erasure) < ($2, $3)
      order by at desc, erasure desc limit $4`,
    dropRecordsOf: `update ${s}.erasures set record = null where record is not null and chat_id = $1 returning 1`,
    dropRecordsBefore: `update ${s}.erasures set record = null where record is not null and at < $1 returning 1`,
  };
}

function questionStatements(s: string) {
  const question = `q.id, c.id as chat_id, q.owner, q.state, q.requested_at, q.change, q.body
    from ${s}.questions q join ${s}.chats c on c.chat = q.chat`;
  return {
    question: `select ${question} where q.id = $1`,
    questionsOf: `select q.question, ${question} where ${hashed.replaceAll('owner', 'q.owner')} and q.state = $2
      and (q.requested_at, q.question) > ($3, $4) order by q.requested_at, q.question limit $5`,
    questionsOfAll: `select q.question, ${question} where q.state = $1
      and (q.requested_at, q.question) > ($2, $3) order by q.requested_at, q.question limit $4`,
    // State by state, because the indexes begin with it.
    settledOf: `select found.* from unnest($2::text[]) as asked (state) cross join lateral (
        select q.question, ${question} where ${hashed.replaceAll('owner', 'q.owner')} and q.state = asked.state
        and (q.requested_at, q.question) < ($3, $4) order by q.requested_at desc, q.question desc limit $5
      ) found`,
    settledOfAll: `select found.* from unnest($1::text[]) as asked (state) cross join lateral (
        select q.question, ${question} where q.state = asked.state
        and (q.requested_at, q.question) < ($2, $3) order by q.requested_at desc, q.question desc limit $4
      ) found`,
    dueQuestions: `select ${question} where q.state = 'open' and q.deadline <= $1 order by q.deadline limit $2`,
    questionChanges: `select ${question} where q.change > $1 order by q.change limit $2`,
    questionFeed: `select ${placedQuestion(s)} where ${eventPlace} > $1 order by ${eventPlace} limit $2`,
    lastChange: `select last from ${s}.feed where one`,
    recentCalls: `select asked.nth, found.* from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
        with ordinality as asked (chat, digest, since, asker, most, nth)
      cross join lateral (
        select c.id as chat_id, k.call, k.digest, k.asker, k.at
        from ${s}.calls k join ${s}.chats c on c.chat = k.chat
        where k.digest = asked.digest and k.at >= asked.since and (c.id = asked.chat or k.asker = asked.asker)
        order by k.at desc limit asked.most
      ) as found`,
  };
}

/** Leases of runs, and requests to stop them. */
function runStatements(s: string) {
  return {
    claimLease: `with held as (
        update ${s}.chats set lease_owner = $2, lease_until = $3
        where id = $1 and lease_until is not null and (lease_owner = $2 or lease_until <= $4) returning 1)
      select case when $3::bigint <= $4::bigint then pg_notify($5, $6) end from held`,
    claimLeases: `with asked as (
        select * from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $6::text[])
          with ordinality as asked (id, owner, until, now, note, nth)),
      free as (
        select c.chat, a.owner, a.until, a.now, a.note, a.nth from asked a join ${s}.chats c on c.id = a.id
        where c.lease_until is not null and (c.lease_owner = a.owner or c.lease_until <= a.now)
        for update of c skip locked),
      held as (
        update ${s}.chats c set lease_owner = free.owner, lease_until = free.until from free
        where c.chat = free.chat returning free.*)
      select nth, case when until <= now then pg_notify($5, note) end from held`,
    orphans: `select id from ${s}.chats where lease_until is not null and lease_until <= $1 order by lease_until`,
    requestStop: `with asked as (
        update ${s}.chats set touched = pg_current_xact_id(),
          stopped = array_append(array_remove(stopped, $2::text), $2::text) where id = $1 returning chat),
      noted as (insert into ${s}.stop_requests (chat, run) select chat, $2::text from asked on conflict do nothing)
      select pg_notify($3, $4)`,
    stopsRequested: `select nth from unnest($1::text[], $2::text[]) with ordinality as asked (id, run, nth)
      where (select true from ${s}.stop_requests r
        where r.chat = (select chat from ${s}.chats c where c.id = asked.id) and r.run = asked.run)`,
  };
}

/** The instances that share the store. */
function instanceStatements(s: string) {
  return {
    announce: `with ended as (
        select id from ${s}.instances where until <= $4 and id <> $1 for update skip locked),
      forgotten as (delete from ${s}.instances where id = any(array(select id from ended))),
      announced as (
        insert into ${s}.instances (id, until, outdated, plugins) values ($1, $2, $3, $5)
        on conflict (id) do update set until = excluded.until, outdated = excluded.outdated, plugins = excluded.plugins
        returning id, until, outdated, plugins)
      select id, until, outdated, plugins from announced
      union all
      select id, until, outdated, plugins from ${s}.instances where until > $4 and id <> $1`,
    retire: `delete from ${s}.instances where id = $1`,
  };
}

function sessionStatements(s: string) {
  const session = `number, id, created_at, seen_at, until, principal from ${s}.sessions`;
  return {
    beginSession: `with over as (select id from ${s}.sessions where until <= $7 for update skip locked),
      forgotten as (delete from ${s}.sessions where id = any(array(select id from over)))
      insert into ${s}.sessions (id, person, created_at, seen_at, until, principal)
        values ($1, $2, $3, $4, $5, $6) on conflict (id) do nothing`,
    sessions: `select ${session} where id = any($1::text[])`,
    sessionsOf: `select ${session} where ${hashed.replaceAll('owner', 'person')} and until > $2
      and (created_at, number) < ($3, $4) order by created_at desc, number desc limit $5`,
    sawSession: `update ${s}.sessions set seen_at = $2 where id = $1 and seen_at < $2`,
    endSession: `delete from ${s}.sessions where id = $1 and person = $2 returning 1`,
  };
}

/** Texts of large results. */
function resultStatements(s: string) {
  return {
    // The lock waits for an erasure of the chat, and does not block appends to it.
    addResultPart: `insert into ${s}.results (chat, result, part, body)
      select chat, $3::text, $4::integer, $5::text from ${s}.chats where id = $1 and created_at = $2 for key share
      on conflict (chat, result, part) do update set body = excluded.body returning 1`,
    resultPart: `select body from ${s}.results where chat = ${chatOf(s)} and result = $2 and part = $3`,
  };
}

function subscriptionStatements(s: string) {
  // There are few subscriptions, so they have one index: each id is at least ''.
  const undelivered = `number, subscription, id, lane, due_at, dead_at, body from ${s}.undelivered`;
  const placed = placedQuestion(s);
  return {
    subscription: `select place, began, due_through, lease_owner, lease_until from ${s}.subscriptions where id = $1`,
    claimSubscription: `insert into ${s}.subscriptions (id, place, began, due_through, lease_owner, lease_until)
      select $1, coalesce((select min(change + 0) - 1 from ${s}.questions where state = 'open'), last), last, $4, $2, $3
        from ${s}.feed where one
      on conflict (id) do update set lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
      where subscriptions.lease_owner = excluded.lease_owner or subscriptions.lease_until <= $4
      returning place, began, due_through`,
    // One statement, so that all parts see the same state.
    changes: `with changed as (select ${placed} where ${eventPlace} > $1 order by ${eventPlace} limit $2),
      noticed as (
        select n.place, c.id as chat_id, c.owner, q.opened, e.seq, e.at, e.run, e.body
        from ${s}.notices n join ${s}.chats c on c.chat = n.chat join ${s}.events e on e.chat = n.chat and e.seq = n.seq
        left join ${s}.questions q on q.id = n.question
        where n.place > $1 order by n.place limit $2)
      select place, id, chat_id, owner, state, requested_at, opened, null::bigint as seq, null::bigint as at, null as run,
        body from changed
      union all
      select place, null, chat_id, owner, null, null, opened, seq, at, run, body from noticed
      union all
      select last, null, null, null, null, null, null, null, null, null, null from ${s}.feed where one`,
    questionsDue: `select ${placed} where q.state = 'open' and q.deadline > $1 and q.deadline <= $2`,
    commitDeliveries: `with held as (
        update ${s}.subscriptions set place = greatest(place, $4), due_through = greatest(due_through, $5), lease_until = $3
        where id = $1 and lease_owner = $2 returning 1),
      dropped as (
        delete from ${s}.undelivered where subscription = $1 and id = any($6::text[]) and (select true from held)),
      kept as (
        insert into ${s}.undelivered (subscription, id, lane, due_at, dead_at, body)
        select $1, id, lane, due_at, dead_at, body
          from unnest($7::text[], $8::text[], $9::bigint[], $10::bigint[], $11::text[])
            with ordinality as put (id, lane, due_at, dead_at, body, nth)
          where (select true from held) order by nth
        on conflict (subscription, id) do update
          set due_at = excluded.due_at, dead_at = excluded.dead_at, body = excluded.body),
      passed as (
        delete from ${s}.notices where place <= (select min(place) from ${s}.subscriptions where id >= '') and (select true from held))
      select 1 from held`,
    retries: `select ${undelivered} d where subscription = $1 and dead_at is null and due_at <= $2
        and (select true from ${s}.undelivered e where e.subscription = d.subscription and e.lane = d.lane
          and e.dead_at is null and e.number < d.number limit 1) is null
      order by due_at limit $3`,
    lanes: `select ${undelivered} where subscription = $1 and lane = any($2::text[]) and dead_at is null`,
    dead: `select ${undelivered} where dead_at is not null and (dead_at, number) < ($1, $2)
      order by dead_at desc, number desc limit $3`,
    revive: `update ${s}.undelivered set dead_at = null, due_at = $3,
        body = json_build_object('reference', body::json -> 'reference', 'attempts', 0)::text
      where subscription = $1 and id = $2 and dead_at is not null returning 1`,
    forgetSubscriptions: `with gone as (delete from ${s}.subscriptions where id >= '' and lease_until < $1 returning id)
      delete from ${s}.undelivered where subscription = any(array(select id from gone))`,
  };
}

function notificationStatements(s: string) {
  return {
    position: `select pg_snapshot_xmin(pg_current_snapshot())::text as position, ${now}`,
    missedSince: `select id, reason from (
        select id, 'append' as reason, touched from ${s}.chats where touched >= $1::xid8
        union all
        select c.id, 'stop', c.touched from ${s}.chats c where c.touched >= $1::xid8
          and (select true from ${s}.stop_requests r where r.chat = c.chat and r.run = c.run)
        union all
        select chat_id, 'erase', touched from ${s}.erasures where touched >= $1::xid8
      ) missed order by touched`,
  };
}

function named<Texts extends Readonly<Record<string, string>>>(
  texts: Texts,
): { readonly [Name in keyof Texts]: Statement } {
  const entries = Object.entries(texts).map(([name, text]) => [name, { name: `countersign ${name}`, text }]);
  return Object.fromEntries(entries);
}
