'use client';

import { readableField } from '../../../client/readable-field.ts';
import { visibleText } from '../../../client/visible-text.ts';
import { useCardWords } from '../../words/use-words.ts';

type Row = Readonly<Record<string, unknown>>;

const mostColumns = 6;
const mostRows = 50;

/**
 * Rows with the same plain fields, as a table; at most 50 of them. `fitsTable` says whether rows are such rows.
 *
 * @param count of all rows, where not all are here
 */
export function ValueTable({ rows, count = rows.length }: { rows: readonly Row[]; count?: number }) {
  const words = useCardWords();
  const columns = Object.keys(rows[0] ?? {});
  const shown = rows.slice(0, mostRows);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div data-countersign="value-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {readableField(visibleText(column))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            <tr key={placeKey(index)}>
              {columns.map((column) => (
                <td key={column}>{visibleText(String(row[column] ?? ''))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {count > shown.length && <p>{words.more(count - shown.length)}</p>}
    </div>
  );
}

/** Whether rows have the same few fields, all plain. */
export function fitsTable(rows: readonly Row[]): boolean {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0 || columns.length > mostColumns) return false;
  return rows.every(
    (row) =>
      Object.keys(row).length === columns.length &&
      columns.every((column) => column in row && (row[column] === null || typeof row[column] !== 'object')),
  );
}

function placeKey(index: number): string {
  return `row-${index}`;
}
