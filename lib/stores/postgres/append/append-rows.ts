import { claimOf } from '../../../log/events/event-table.ts';
import type { Append } from '../../../log/store/index.ts';
import type { FlowEvent } from '../../../protocol/index.ts';
import { atOf, guardedRuns } from '../../batch.ts';
import { recordColumns, recordNames } from '../../record-rows.ts';
import { eventBody, exactText, questionBody, runText } from '../../row-text.ts';
import { questionOfNotice } from '../../subscription-rows.ts';
import { notificationText } from '../connection/notification-text.ts';

/** A batch, and when its append was asked for, in milliseconds of the monotonic clock. */
export type AskedAppend = { readonly batch: Append; readonly askedAt: number };

/** The same with the mark of its first event. The mark identifies an append whose acknowledgement was lost. */
export type MarkedAppend = AskedAppend & { readonly mark: string };

/** A shorter wait is a small part of any lease. Milliseconds. */
const noticedWaitMs = 1_000;

/**
 * The parameters of an append: small tables, each column passed as an array. `place` is the number of the batch that a
 * row belongs to, from 1.
 *
 * `lines` is a column of JSON texts, passed as one text. JSON has no line break, and each of its many quotes would have
 * to be escaped in an array: a sixth of the bytes of an append.
 */
export const tables = {
  batch: {
    place: 'bigint',
    id: 'text',
    after: 'bigint',
    updated_at: 'bigint',
    seq: 'bigint',
    turn_seq: 'bigint',
    status: 'text',
    run: 'text',
    open: 'text',
    audit_head: 'text',
    leases: 'boolean',
    lease_owner: 'text',
    lease_until: 'bigint',
    writer: 'text',
    at: 'bigint',
    owner: 'text',
    title: 'text',
    created_at: 'bigint',
    guarded: 'text',
    notification: 'text',
  },
  event: {
    place: 'bigint',
    seq: 'bigint',
    at: 'bigint',
    mark: 'uuid',
    run: 'text',
    claim: 'text',
    body: 'lines',
  },
  question: {
    place: 'bigint',
    nth: 'bigint',
    id: 'text',
    owner: 'text',
    state: 'text',
    requested_at: 'bigint',
    deadline: 'bigint',
    body: 'lines',
  },
  call: { place: 'bigint', id: 'text', digest: 'text', asker: 'text', at: 'bigint' },
  notice: { place: 'bigint', nth: 'bigint', seq: 'bigint', question: 'text' },
  record: {
    place: 'bigint',
    plugin: 'text',
    kind: 'text',
    key: 'text',
    here: 'boolean',
    owner: 'text',
    due_at: 'bigint',
    sort: 'bigint',
    /** The version that is expected; 0: it is absent. */
    expects: 'bigint',
    deleted: 'boolean',
    value: 'lines',
  },
} as const;

type Tables = typeof tables;
export type TableName = keyof Tables;
type RowOf<Name extends TableName> = { readonly [Column in keyof Tables[Name]]: unknown };
type Rows = { readonly [Name in TableName]: readonly RowOf<Name>[] };

/** The tables that have rows, in order, and their columns: the parameters of an append. */
export function appendTables(appends: readonly MarkedAppend[]): {
  readonly used: readonly TableName[];
  readonly values: unknown[];
} {
  const rows = Object.entries(rowsOf(appends)).filter(([, { length }]) => length > 0);
  return {
    used: rows.map(([name]) => name as TableName),
    values: rows.flatMap(([name, table]: [string, readonly Readonly<Record<string, unknown>>[]]) =>
      Object.entries(tables[name as TableName]).map(([column, type]) => {
        const values = table.map((row) => row[column]);
        return type === 'lines' ? values.join('\n') : values;
      }),
    ),
  };
}

function rowsOf(appends: readonly MarkedAppend[]): Rows {
  const placed = appends.map((append, index) => ({ ...append, place: index + 1 }));
  return {
    batch: placed.map(batchRow),
    event: placed.flatMap(eventRows),
    question: placed.flatMap(questionRows).map((row, nth) => ({ ...row, nth })),
    call: placed.flatMap(callRows),
    notice: placed
      .flatMap(({ place, batch: { notices = [], events } }) =>
        notices.map((seq) => ({ place, seq, question: questionText(events, seq) })),
      )
      .map((row, nth) => ({ ...row, nth })),
    record: placed.flatMap(recordRows),
  };
}

type Placed = MarkedAppend & { readonly place: number };

function batchRow({ place, batch, askedAt }: Placed): RowOf<'batch'> {
  const { chatId, after, head, lease, owner } = batch;
  return {
    place,
    id: chatId,
    after,
    updated_at: head.updatedAt,
    seq: head.seq,
    turn_seq: head.turnSeq,
    status: head.status,
    run: head.runId,
    open: head.open && exactText(head.open),
    audit_head: head.auditHead,
    leases: lease !== undefined,
    lease_owner: lease ? exactText(lease.owner) : null,
    lease_until: lease ? lease.until + waitedMs(askedAt) : null,
    writer: exactText(owner),
    at: atOf(batch),
    owner: exactText(head.ownerId),
    title: exactText(head.title),
    created_at: head.createdAt,
    guarded: guardedText(batch),
    notification: notificationText({ chatId, reason: 'append', seq: head.seq }),
  };
}

/** How long an append waited, and so how much later its lease ends. It may have waited behind many others. */
function waitedMs(askedAt: number): number {
  const waited = performance.now() - askedAt;
  return waited < noticedWaitMs ? 0 : Math.round(waited);
}

/** The runs that must not have a stop request, as an array literal: the parameter tables contain single values. */
function guardedText(batch: Append): string | null {
  const runs = guardedRuns(batch).map((run) => `"${run.replace(/["\\]/g, '\\$&')}"`);
  return runs.length === 0 ? null : `{${runs.join(',')}}`;
}

function eventRows({ place, batch: { events }, mark }: Placed): RowOf<'event'>[] {
  return events.map((event, index) => {
    const claim = claimOf(event);
    return {
      place,
      seq: event.seq,
      at: event.at,
      mark: index === 0 ? mark : null,
      run: runText(event),
      claim: claim === undefined ? null : exactText(claim),
      body: eventBody(event),
    };
  });
}

/** One statement may write a row only once, so only a question's last state is written. */
function questionRows({ place, batch: { questions } }: Placed): Omit<RowOf<'question'>, 'nth'>[] {
  return questions
    .filter(({ id }, index) => questions.findLastIndex((each) => each.id === id) === index)
    .map((question) => ({
      place,
      id: exactText(question.id),
      owner: exactText(question.ownerId),
      state: question.state,
      requested_at: question.requestedAt,
      deadline: question.deadline ?? null,
      body: questionBody(question),
    }));
}

/** The first mark of a call is kept, also within one batch. */
function callRows({ place, batch: { calls = [] } }: Placed): RowOf<'call'>[] {
  return calls
    .filter((call, index) => calls.findIndex(({ toolCallId }) => toolCallId === call.toolCallId) === index)
    .map(({ toolCallId, digest, askerId, at }) => ({
      place,
      id: exactText(toolCallId),
      digest,
      asker: exactText(askerId),
      at,
    }));
}

function recordRows({ place, batch: { records = [] } }: Placed): RowOf<'record'>[] {
  return records.map((record) => {
    const [plugin, kind, key] = recordNames(record);
    const { isDeleted: deleted = false, expects = null } = record;
    const [owner, due_at, sort, value] = recordColumns(record.isDeleted ? { ...record, value: '' } : record);
    const here = !record.isDeleted && record.ofChat === true;
    return {
      ...{ place, plugin, kind, key, here, owner, due_at, sort, deleted, value },
      expects: expects === 'absent' ? 0 : expects,
    };
  });
}

function questionText(events: readonly FlowEvent[], seq: number): string | null {
  const id = questionOfNotice(events, seq);
  return id === undefined ? null : exactText(id);
}
