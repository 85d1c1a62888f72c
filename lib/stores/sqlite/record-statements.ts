import type { DatabaseSync } from 'node:sqlite';

export function recordStatements(db: DatabaseSync) {
  const record = `r.record, r.plugin, r.kind, r.key, c.id as chat_id, r.owner, r.due_at, r.sort, r.version, r.value
    from records r left join chats c on c.chat = r.chat`;
  const columns = 'plugin, kind, key, chat, owner, due_at, sort, value, version';
  const isRecord = 'plugin = ? and kind = ? and key = ?';
  return {
    createRecord: db.prepare(
      `insert into records (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, 1) on conflict do nothing`,
    ),
    putRecord: db.prepare(
      `insert into records (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, 1) on conflict (plugin, kind, key) do update
        set chat = excluded.chat, owner = excluded.owner, due_at = excluded.due_at, sort = excluded.sort,
          value = excluded.value, version = version + 1`,
    ),
    moveRecord: db.prepare(
      `update records set chat = ?, owner = ?, due_at = ?, sort = ?, value = ?, version = version + 1
        where ${isRecord} and version = ?`,
    ),
    deleteRecord: db.prepare(`delete from records where ${isRecord} and version = coalesce(?, version)`),
    records: db.prepare(`select ${record} where r.plugin = ? and r.kind = ? and r.key in (?, ?, ?, ?)`),
    recordsOf: db.prepare(
      `select ${record} where r.owner = ? and r.plugin = ? and r.kind = ? and (r.sort, r.record) < (?, ?)
        order by r.sort desc, r.record desc limit +?`,
    ),
    recordsDue: db.prepare(
      `select ${record} where r.plugin = ? and r.kind = ? and r.due_at <= ? order by r.due_at limit +?`,
    ),
    dropRecords: db.prepare('delete from records where plugin = ?'),
  };
}
