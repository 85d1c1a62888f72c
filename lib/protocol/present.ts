/**
 * The fields that are not `undefined`, for values whose keys count: events, and what other code gets. Copies nothing if all are
 * present. Fields of fields stay.
 */
export function present<Fields extends object>(fields: Fields): Fields {
  if (!Object.values(fields).includes(undefined)) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
