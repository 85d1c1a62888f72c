export function recordStatements(s: string) {
  const record = `r.record, r.plugin, r.kind, r.key, c.id as chat_id, r.owner, r.due_at, r.sort, r.version, r.value
    from ${s}.records r left join ${s}.chats c on c.chat = r.chat`;
  const insert = `insert into ${s}.records (plugin, kind, key, chat, owner, due_at, sort, value, version)
    values ($1, $2, $3, null, $4, $5, $6, $7, 1) on conflict (plugin, kind, key)`;
  return {
    createRecord: `${insert} do nothing returning 1`,
    putRecord: `${insert} do update set chat = excluded.chat, owner = excluded.owner, due_at = excluded.due_at,
      sort = excluded.sort, value = excluded.value, version = records.version + 1 returning 1`,
    moveRecord: `update ${s}.records set chat = null, owner = $4, due_at = $5, sort = $6,
      value = $7, version = version + 1
      where plugin = $1 and kind = $2 and key = $3 and version = $8 returning 1`,
    deleteRecord: `delete from ${s}.records
      where plugin = $1 and kind = $2 and key = $3 and version = coalesce($4::bigint, version) returning 1`,
    records: `select ${record} join unnest($1::text[], $2::text[], $3::text[]) as asked (plugin, kind, key)
      on r.plugin = asked.plugin and r.kind = asked.kind and r.key = asked.key`,
    recordsOf: `select ${record} where hashtextextended(r.owner, 0) = hashtextextended($1, 0) and r.owner = $1
      and r.plugin = $2 and r.kind = $3 and (r.sort, r.record) < ($4, $5)
      order by r.sort desc, r.record desc limit $6`,
    recordsDue: `select ${record} where r.plugin = $1 and r.kind = $2 and r.due_at <= $3 order by r.due_at limit $4`,
    dropRecords: `delete from ${s}.records where plugin = $1 returning 1`,
  };
}
