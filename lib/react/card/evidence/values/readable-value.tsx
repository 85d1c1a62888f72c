'use client';

import { fitsTable } from '../../../../client/card/fits-table.ts';
import { readableField } from '../../../../client/text/readable-field.ts';
import { visibleText } from '../../../../client/text/visible-text.ts';
import { isRecord } from '../../../../protocol/json.ts';
import { useCardWords } from '../../../words/card-words.ts';
import { Meaning } from './meaning.tsx';
import { Stepped } from './stepped.tsx';
import { ValueTable } from './value-table.tsx';

const deepest = 3;
const longText = 140;
/** How much of a longer text is shown at first. */
const [firstLines, firstCharacters] = [15, 1_000];

/**
 * A value as people read it: fields as a list of terms, equal rows as a table, text as text, with the meaning
 * of dates and amounts next to them. Values deeper than three levels are shown as JSON. Long texts and lists
 * show their beginning, how much is hidden, and a button that shows more.
 *
 * @param name of the value among its fields, which may have its currency
 */
export function ReadableValue({
  value,
  depth = 0,
  name,
  among,
}: {
  value: unknown;
  depth?: number;
  name?: string;
  among?: Readonly<Record<string, unknown>>;
}) {
  const words = useCardWords();
  if (typeof value === 'boolean') return <span>{value ? words.yes : words.no}</span>;
  if (typeof value === 'number' || (typeof value === 'string' && value !== '')) {
    return (
      <>
        {typeof value === 'string' ? (
          <Text text={value} />
        ) : (
          <span data-countersign="value-number">{String(value)}</span>
        )}
        {/^-?\d/.test(`${value}`) && <Meaning value={value} name={name} among={among} />}
      </>
    );
  }
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
    <Stepped count={shown.length} first={beginningOf(shown)} isText>
      {(end) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre data-countersign="value-block" tabIndex={0}>
          {shown.slice(0, end)}
        </pre>
      )}
    </Stepped>
  );
}

/** How many characters of a text to show at first: all of a short text, otherwise whole words. */
function beginningOf(text: string): number {
  const start = text.split('\n', firstLines).join('\n').slice(0, firstCharacters);
  if (start.length === text.length) return start.length;
  return start.replace(/\S+$/, '').length || start.length;
}

function Items({ items, depth }: { items: readonly unknown[]; depth: number }) {
  if (items.length === 0) return <None />;
  if (items.every(isRecord) && fitsTable(items)) return <ValueTable rows={items} Cell={ReadableValue} />;
  return (
    <Stepped count={items.length}>
      {(shown) => (
        <ul data-countersign="value-items">
          {items.slice(0, shown).map((item, index) => (
            <li key={placeKey(index)}>
              <ReadableValue value={item} depth={depth + 1} />
            </li>
          ))}
        </ul>
      )}
    </Stepped>
  );
}

function Fields({ value, depth }: { value: object; depth: number }) {
  const among = value as Readonly<Record<string, unknown>>;
  const fields = Object.entries(among);
  if (fields.length === 0) return <None />;
  return (
    <Stepped count={fields.length}>
      {(shown) => (
        <dl data-countersign="value-fields" data-depth={depth}>
          {fields.slice(0, shown).map(([name, field]) => (
            <div key={name} data-countersign="value-field">
              <dt title={name}>{readableField(visibleText(name))}</dt>
              <dd>
                <ReadableValue value={field} depth={depth + 1} name={name} among={among} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Stepped>
  );
}

function placeKey(index: number): string {
  return `item-${index}`;
}
