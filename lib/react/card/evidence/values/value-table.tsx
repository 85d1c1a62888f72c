'use client';

import type { ReactNode } from 'react';
import { readableField } from '../../../../client/text/readable-field.ts';
import { visibleText } from '../../../../client/text/visible-text.ts';
import { useCardWords } from '../../../words/card-words.ts';
import { Stepped } from './stepped.tsx';

type Row = Readonly<Record<string, unknown>>;

/**
 * Rows with the same plain fields, as a table with their number; the first of many, and more on demand.
 * `fitsTable` checks whether rows qualify.
 *
 * @param count of all rows, if some are missing
 * @param Cell shows one value
 */
export function ValueTable({
  rows,
  count = rows.length,
  Cell,
}: {
  rows: readonly Row[];
  count?: number;
  Cell: (props: { value: unknown; name: string; among: Row }) => ReactNode;
}) {
  const words = useCardWords();
  const columns = Object.keys(rows[0] ?? {});
  return (
    <Stepped count={rows.length}>
      {(shown) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <div data-countersign="value-table" tabIndex={0}>
          <table>
            <caption>{words.rows(count)}</caption>
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
              {rows.slice(0, shown).map((row, index) => (
                <tr key={placeKey(index)}>
                  {columns.map((column) => (
                    <td key={column}>
                      <Cell value={row[column]} name={column} among={row} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {count > rows.length && <p>{words.more(count - rows.length)}</p>}
        </div>
      )}
    </Stepped>
  );
}

function placeKey(index: number): string {
  return `row-${index}`;
}
