import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { recordStatements } from './record-statements.ts';

const head = 'id, owner, title, created_at, updated_at, seq, turn_seq, status, run, open, audit_head';
const question = `q.id, c.id as chat_id, q.owner, q.state, q.requested_at, q.change, q.body
  from questions q join chats c on c.chat = q.chat`;
const kept = 'erasure, chat_id, erased_by, at, record from erasures where record is not null';
const session = 'number, id, created_at, seen_at, until, principal from sessions';
const chatOf = '(select chat from chats where id = ?)';
/** As in `questions_by_event`. */
const eventPlace = 'ifnull(q.ended, q.change)';
const placed = `${eventPlace} as place, q.opened, ${question}`;
/** The feed's newest place. After an erasure it may belong to no question. */
const lastChange =
  'select max(last, ifnull((select max(change) from questions), 0)) as last from feed where one = 1';
/** The most rows that one statement inserts. */
const mostRows = 8;

/**
 * Every statement, prepared once and found by an index. SQLite compiles a statement again after each binding of a parameter that is
 * a limit, or is compared with a column of a partial index's condition. It does not if the parameter is written `+?`.
 *
 * @param db with the current schema
 */
export function prepareStatements(db: DatabaseSync) {
  return {
    ...appendStatements(db),
    ...chatStatements(db),
    ...erasureStatements(db),
    ...questionStatements(db),
    ...recordStatements(db),
    ...runStatements(db),
    ...instanceStatements(db),
    ...sessionStatements(db),
    ...resultStatements(db),
    ...subscriptionStatements(db),
    cursorKey: db.prepare("select value from store_keys where name = 'cursors'"),
  };
}

export type Statements = ReturnType<typeof prepareStatements>;

/** One append, and the rows that it changes beside the log. */
function appendStatements(db: DatabaseSync) {
  const foundChat = `returning chat, exists (select 1 from stop_requests s where s.chat = chats.chat) as has_stops,
    exists (select 1 from subscriptions where id >= '') as has_subscription`;
  const moveHead = `update chats set updated_at = ?, seq = ?, turn_seq = ?, status = ?, run = ?, open = ?, audit_head = ?
    where id = ? and seq = ? and created_at = ? and (status = 'active' or owner = ?)
      and (lease_until is null or lease_owner = ? or lease_until <= ?)
    ${foundChat}`;
  return {
    stopOf: db.prepare('select 1 from stop_requests where chat = ? and run = ?'),
    batchAt: db.prepare(`select 1 from events where chat = ${chatOf} and seq = ? and batch = ?`),
    createChat: db.prepare(
      `insert into chats (${head}, lease_owner, lease_until, hour, second)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        on conflict (id) do nothing ${foundChat}`,
    ),
    moveHead: db.prepare(moveHead),
    // Separate, because an update that names the indexed `lease_until` writes its index.
    moveLeasedHead: db.prepare(moveHead.replace(' where', ', lease_owner = ?, lease_until = ? where')),
    addEvents: insertRows(
      db,
      'insert into events (chat, seq, at, run, batch, claim, body)',
      '(?, ?, ?, ?, ?, ?, ?)',
    ),
    // Where it changes now is where it was opened, if it is new, and where it ended, if it was open.
    putQuestion: db.prepare(
      `insert into questions (id, chat, owner, requested_at, deadline, body, state, change, opened, ended)
        select ?, ?, ?, ?, ?, ?, ?, last + 1, last + 1, iif(? = 'open', null, last + 1) from (${lastChange}) where true
        on conflict (id) do update
        set state = excluded.state, change = excluded.change, body = excluded.body,
          ended = ifnull(questions.ended, excluded.ended)
        where chat = excluded.chat`,
    ),
    addNotice: db.prepare('insert into notices (place, chat, seq, question) values (?, ?, ?, ?)'),
    moveFeed: db.prepare('update feed set last = ? where one = 1'),
    addCall: db.prepare('insert or ignore into calls (chat, call, digest, asker, at) values (?, ?, ?, ?, ?)'),
  };
}

/** One statement for each number of rows. A row that violates a unique index is left out. @see insertAll */
function insertRows(db: DatabaseSync, into: string, row: string): readonly StatementSync[] {
  return Array.from({ length: mostRows }, (_, more) =>
    db.prepare(`${into} values ${row}${`, ${row}`.repeat(more)} on conflict do nothing`),
  );
}

function chatStatements(db: DatabaseSync) {
  return {
    events: db.prepare(
      `select seq, at, run, body from events where chat = ${chatOf} and seq > ? order by seq limit +?`,
    ),
    head: db.prepare(`select ${head} from chats where id = ?`),
    // Counts the questions of the page only, not those of every chat that is sorted for it.
    chats: db.prepare(
      `select page.*, (select count(*) from questions q where q.chat = page.chat and q.state = 'open') as open_count
        from (
          select chat, ${head} from chats where owner = ? and (second, updated_at, chat) < (?, ?, ?)
          order by second desc, updated_at desc, chat desc limit +?
        ) page`,
    ),
    staleChats: db.prepare(
      `select id from chats where hour <= ? and status <> 'active' and updated_at < ? order by hour, updated_at limit +?`,
    ),
    sealedChats: db.prepare(
      `select chat, ${head} from chats where hour >= ? and (hour, updated_at, chat) > (?, ?, ?)
        and updated_at >= ? and status <> 'active' and audit_head is not null
        order by hour, updated_at, chat limit +?`,
    ),
    changedChats: db.prepare(
      `select chat, ${head} from chats where hour >= ? and (hour, updated_at, chat) > (?, ?, ?)
        and updated_at >= ? and status <> 'active' order by hour, updated_at, chat limit +?`,
    ),
    rename: db.prepare('update chats set title = ? where id = ?'),
    // Before the chats, because these rows are found by the chats' owner.
    reassignCalls: db.prepare(
      'update calls set asker = ? where chat in (select chat from chats where owner = ?) and asker = ?',
    ),
    reassignQuestions: db.prepare('update questions set owner = ? where owner = ?'),
    reassignRecords: db.prepare('update records set owner = ? where owner = ?'),
    reassignChats: db.prepare('update chats set owner = ? where owner = ?'),
  };
}

function erasureStatements(db: DatabaseSync) {
  return {
    keepLastChange: db.prepare(`update feed set last = (${lastChange}) where one = 1`),
    eraseChat: db.prepare('delete from chats where id = ? and seq = coalesce(?, seq)'),
    recordErasure: db.prepare('insert into erasures (chat_id, erased_by, at, record) values (?, ?, ?, ?)'),
    erasedAt: db.prepare('select max(at) as at from erasures where chat_id = ?'),
    keptRecords: db.prepare(
      `select ${kept} and (at, erasure) < (?, ?) order by at desc, erasure desc limit +?`,
    ),
    keptRecordsOf: db.prepare(
      `select ${kept} and chat_id = ? and (at, erasure) < (?, ?) order by at desc, erasure desc limit +?`,
    ),
    dropRecordsOf: db.prepare('update erasures set record = null where record is not null and chat_id = ?'),
    dropRecordsBefore: db.prepare('update erasures set record = null where record is not null and at < ?'),
  };
}

function questionStatements(db: DatabaseSync) {
  return {
    question: db.prepare(`select ${question} where q.id = ?`),
    questionsOf: db.prepare(
      `select q.question, ${question} where q.owner = ? and q.state = +?
        and (q.requested_at, q.question) > (?, ?) order by q.requested_at, q.question limit +?`,
    ),
    questionsOfAll: db.prepare(
      `select q.question, ${question} where q.state = +?
        and (q.requested_at, q.question) > (?, ?) order by q.requested_at, q.question limit +?`,
    ),
    // Of one state, because the indexes begin with it.
    settledOf: db.prepare(
      `select q.question, ${question} where q.owner = ? and q.state = +?
        and (q.requested_at, q.question) < (?, ?) order by q.requested_at desc, q.question desc limit +?`,
    ),
    settledOfAll: db.prepare(
      `select q.question, ${question} where q.state = +?
        and (q.requested_at, q.question) < (?, ?) order by q.requested_at desc, q.question desc limit +?`,
    ),
    dueQuestions: db.prepare(
      `select ${question.replace('questions q', 'questions q indexed by questions_by_deadline')}
        where q.state = 'open' and q.deadline <= ? order by q.deadline limit +?`,
    ),
    questionChanges: db.prepare(`select ${question} where q.change > ? order by q.change limit +?`),
    questionFeed: db.prepare(`select ${placed} where ${eventPlace} > ? order by ${eventPlace} limit +?`),
    lastChange: db.prepare(lastChange),
    recentCalls: db.prepare(
      `select c.id as chat_id, k.call, k.digest, k.asker, k.at from calls k join chats c on c.chat = k.chat
        where k.digest = ? and k.at >= ? and (k.chat = ${chatOf} or k.asker = ?) order by k.at desc limit +?`,
    ),
  };
}

/** Leases of runs, and requests to stop them. */
function runStatements(db: DatabaseSync) {
  return {
    claimLease: db.prepare(
      `update chats set lease_owner = ?, lease_until = ?
        where id = ? and lease_until is not null and (lease_owner = ? or lease_until <= ?)`,
    ),
    orphans: db.prepare(
      'select id from chats where lease_until is not null and lease_until <= ? order by lease_until',
    ),
    requestStop: db.prepare(
      'insert or ignore into stop_requests (chat, run) select chat, ? from chats where id = ?',
    ),
    stopRequested: db.prepare(`select 1 from stop_requests where chat = ${chatOf} and run = ?`),
  };
}

/** The instances that share the store. */
function instanceStatements(db: DatabaseSync) {
  return {
    announce: db.prepare(
      'insert or replace into instances (id, until, outdated, plugins) values (?, ?, ?, ?)',
    ),
    forgetInstances: db.prepare('delete from instances where until <= ? and id <> ?'),
    instances: db.prepare('select id, until, outdated, plugins from instances where until > ? or id = ?'),
    retire: db.prepare('delete from instances where id = ?'),
  };
}

function sessionStatements(db: DatabaseSync) {
  return {
    beginSession: db.prepare(
      'insert or ignore into sessions (id, person, created_at, seen_at, until, principal) values (?, ?, ?, ?, ?, ?)',
    ),
    forgetSessions: db.prepare('delete from sessions where until <= ?'),
    session: db.prepare(`select ${session} where id = ?`),
    sessionsOf: db.prepare(
      `select ${session} where person = ? and until > ? and (created_at, number) < (?, ?)
        order by created_at desc, number desc limit +?`,
    ),
    sawSession: db.prepare('update sessions set seen_at = ? where id = ? and seen_at < ?'),
    endSession: db.prepare('delete from sessions where id = ? and person = ?'),
  };
}

/** Texts of large results. */
function resultStatements(db: DatabaseSync) {
  return {
    addResultPart: db.prepare(
      `insert into results (chat, result, part, body)
        select chat, ?, ?, ? from chats where id = ? and created_at = ?
        on conflict (chat, result, part) do update set body = excluded.body`,
    ),
    resultPart: db.prepare(`select body from results where chat = ${chatOf} and result = ? and part = ?`),
  };
}

function subscriptionStatements(db: DatabaseSync) {
  // There are few subscriptions, so they have one index: each id is at least ''.
  const undelivered = 'number, subscription, id, lane, due_at, dead_at, body from undelivered';
  return {
    subscription: db.prepare(
      'select place, began, due_through, lease_owner, lease_until from subscriptions where id = ?',
    ),
    claimSubscription: db.prepare(
      `insert into subscriptions (id, place, began, due_through, lease_owner, lease_until)
        values (?, ifnull((select min(change + 0) - 1 from questions where state = 'open'), ?), ?, ?, ?, ?)
        on conflict (id) do update set lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
        where lease_owner = excluded.lease_owner or lease_until <= ?
        returning place, began, due_through`,
    ),
    changedQuestions: db.prepare(
      `select ${placed} where ${eventPlace} > ? and ${eventPlace} <= ? order by ${eventPlace} limit +?`,
    ),
    notices: db.prepare(
      `select n.place, c.id as chat_id, c.owner, q.opened, e.seq, e.at, e.run, e.body
        from notices n join chats c on c.chat = n.chat join events e on e.chat = n.chat and e.seq = n.seq
        left join questions q on q.id = n.question
        where n.place > ? and n.place <= ? order by n.place limit +?`,
    ),
    questionsDue: db.prepare(
      `select ${placed.replace('questions q', 'questions q indexed by questions_by_deadline')}
        where q.state = 'open' and q.deadline > ? and q.deadline <= ?`,
    ),
    moveSubscription: db.prepare(
      `update subscriptions set place = max(place, ?), due_through = max(due_through, ?), lease_until = ?
        where id = ? and lease_owner = ?`,
    ),
    forgetNotices: db.prepare(
      "delete from notices where place <= (select min(place) from subscriptions where id >= '')",
    ),
    putUndelivered: db.prepare(
      `insert into undelivered (subscription, id, lane, due_at, dead_at, body) values (?, ?, ?, ?, ?, ?)
        on conflict (subscription, id) do update
        set due_at = excluded.due_at, dead_at = excluded.dead_at, body = excluded.body`,
    ),
    dropUndelivered: db.prepare('delete from undelivered where subscription = ? and id = ?'),
    retries: db.prepare(
      `select ${undelivered} d indexed by undelivered_due
        where subscription = ? and dead_at is null and due_at <= ? and not exists (
          select 1 from undelivered e indexed by undelivered_by_lane
          where e.subscription = d.subscription and e.lane = d.lane and e.dead_at is null and e.number < d.number)
        order by due_at limit +?`,
    ),
    lane: db.prepare(
      `select ${undelivered} where subscription = ? and lane = ? and dead_at is null order by number`,
    ),
    dead: db.prepare(
      `select ${undelivered} where dead_at is not null and (dead_at, number) < (?, ?)
        order by dead_at desc, number desc limit +?`,
    ),
    oneDead: db.prepare(`select ${undelivered} where subscription = ? and id = ? and dead_at is not null`),
    forgetUndelivered: db.prepare(
      `delete from undelivered
        where subscription in (select id from subscriptions where id >= '' and lease_until < ?)`,
    ),
    forgetSubscriptions: db.prepare("delete from subscriptions where id >= '' and lease_until < ?"),
  };
}
