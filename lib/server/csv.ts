/** What a spreadsheet may take for a formula at the beginning of a cell. */
const formula = /^[=+\-@\t\r\n]/;

/**
 * A table as CSV (RFC 4180). Texts that a spreadsheet would run as a formula get an apostrophe in front, because they may come from
 * people or models.
 *
 * @param rows the first one has the names of the columns; `undefined` is an empty cell
 */
export function csvText(rows: readonly (readonly (string | number | undefined)[])[]): string {
  return rows.map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('');
}

function cellText(cell: string | number | undefined): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell);
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
