/** Without the fields that are `undefined`, for values whose keys count. Fields of fields stay. */
export function present<Fields extends object>(fields: Fields): Fields {
  for (const name in fields) if (fields[name] === undefined) return withoutAbsent(fields);
  return fields;
}

/** A loop, because objects made from entries are slow to read and to serialize. */
function withoutAbsent<Fields extends object>(fields: Fields): Fields {
  const copy: Partial<Fields> = {};
  for (const name in fields) if (fields[name] !== undefined) copy[name] = fields[name];
  return copy as Fields;
}
