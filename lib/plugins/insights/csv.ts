/**
 * The places at which a spreadsheet may begin a formula: the beginning of a cell, and, for a program with another separator, what follows
 * a semicolon, a tab or a line break, also within quotes. Signs in full width count, and spaces, quotes and invisible characters before the
 * sign are skipped, as some programs do. An apostrophe there makes it a text.
 */
const formula = /(^|[;|\t\r\n])(?=[\p{Zs}\p{Cf}"']*[=+\-@＝＋－＠﹢﹣﹦﹫−])/gu;

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
  const text = cell.replaceAll(formula, "$1'").replace(/^(?=[\t\r\n])/, "'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
