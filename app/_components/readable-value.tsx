import { z } from 'zod';
import { readableName } from '../_chat/readable-name.ts';
import { visibleText } from '../_chat/visible-text.ts';
import styles from './readable-value.module.css';
import { ValueTable } from './value-table.tsx';

const record = z.record(z.string(), z.unknown());
const deepest = 3;
const longText = 140;

/**
 * A value as people read it: fields as a list of terms, equal rows as a table, text as text. What lies
 * deeper than three levels is shown as JSON.
 */
export function ReadableValue({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (value === undefined || value === null || value === '') return <em className={styles.none}>none</em>;
  if (typeof value === 'string') return <Text text={value} />;
  if (typeof value === 'boolean') return <span>{value ? 'Yes' : 'No'}</span>;
  if (typeof value !== 'object') return <span className={styles.number}>{String(value)}</span>;
  if (depth >= deepest) return <Text text={JSON.stringify(value, null, 2)} />;
  return Array.isArray(value) ? (
    <Items items={value} depth={depth} />
  ) : (
    <Fields value={value} depth={depth} />
  );
}

function Text({ text }: { text: string }) {
  const shown = visibleText(text);
  if (!shown.includes('\n') && shown.length <= longText) return <bdi className={styles.text}>{shown}</bdi>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className={styles.block} tabIndex={0}>
      {shown}
    </pre>
  );
}

function Items({ items, depth }: { items: readonly unknown[]; depth: number }) {
  if (items.length === 0) return <em className={styles.none}>none</em>;
  const rows = z.array(record).safeParse(items);
  if (rows.success && ValueTable.fits(rows.data)) return <ValueTable rows={rows.data} />;
  return (
    <ul className={styles.items}>
      {items.map((item, index) => (
        <li key={itemKey(index)}>
          <ReadableValue value={item} depth={depth + 1} />
        </li>
      ))}
    </ul>
  );
}

function Fields({ value, depth }: { value: object; depth: number }) {
  const fields = Object.entries(value);
  if (fields.length === 0) return <em className={styles.none}>none</em>;
  return (
    <dl className={styles.fields} data-depth={depth}>
      {fields.map(([name, field]) => (
        <div key={name} className={styles.field}>
          <dt title={name}>{readableName(visibleText(name))}</dt>
          <dd>
            <ReadableValue value={field} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function itemKey(index: number): string {
  return `item-${index}`;
}
