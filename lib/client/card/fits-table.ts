type Row = Readonly<Record<string, unknown>>;

const mostColumns = 6;

/** True if all rows have the same few fields, and all values are plain. */
export function fitsTable(rows: readonly Row[]): boolean {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0 || columns.length > mostColumns) return false;
  return rows.every(
    (row) =>
      Object.keys(row).length === columns.length &&
      columns.every((column) => column in row && (row[column] === null || typeof row[column] !== 'object')),
  );
}
