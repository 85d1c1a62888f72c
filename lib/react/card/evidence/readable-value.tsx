'use client';

import { readableField } from '../../../client/readable-field.ts';
import { visibleText } from '../../../client/visible-text.ts';
import { isRecord } from '../../../protocol/json.ts';
import { useCardWords } from '../../words/use-words.ts';
import { fitsTable, ValueTable } from './value-table.tsx';

const deepest = 3;
const longText = 140;

/**
 * A value as people read it: fields as a list of terms, equal rows as a table, text as text. Values deeper than three
 * levels are shown as JSON.
 */
export function ReadableValue({ value, depth = 0 }: { value: unknown; depth?: number }) {
  const words = useCardWords();
  if (typeof value === 'string' && value !== '') return <Text text={value} />;
  if (typeof value === 'boolean') return <span>{value ? words.yes : words.no}</span>;
  if (typeof value === 'number') return <span data-countersign="value-number">{String(value)}</span>;
  if (typeof value !== 'object' || value === null) return <None />;
  if (depth >= deepest) return <Text text={JSON.stringify(value, null, 2)} />;
  return Array.isArray(value) ? (
    <Items items={value} depth={depth} />
  ) : (
    <Fields value={value} depth={depth} />
  );
}

function None() {
  return <em data-countersign="value-none">{useCardWords().none}</em>;
}

function Text({ text }: { text: string }) {
  const shown = visibleText(text);
  if (!shown.includes('\n') && shown.length <= longText) {
    // Leading and trailing spaces are visible only between quotation marks.
    return <bdi data-countersign="value-text">{shown === shown.trim() ? shown : `“${shown}”`}</bdi>;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre data-countersign="value-block" tabIndex={0}>
      {shown}
    </pre>
  );
}

function Items({ items, depth }: { items: readonly unknown[]; depth: number }) {
  if (items.length === 0) return <None />;
  if (items.every(isRecord) && fitsTable(items)) return <ValueTable rows={items} />;
  return (
    <ul data-countersign="value-items">
      {items.map((item, index) => (
        <li key={placeKey(index)}>
          <ReadableValue value={item} depth={depth + 1} />
        </li>
      ))}
    </ul>
  );
}

function Fields({ value, depth }: { value: object; depth: number }) {
  const fields = Object.entries(value);
  if (fields.length === 0) return <None />;
  return (
    <dl data-countersign="value-fields" data-depth={depth}>
      {fields.map(([name, field]) => (
        <div key={name} data-countersign="value-field">
          <dt title={name}>{readableField(visibleText(name))}</dt>
          <dd>
            <ReadableValue value={field} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function placeKey(index: number): string {
  return `item-${index}`;
}
