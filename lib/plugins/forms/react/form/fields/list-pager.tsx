'use client';

import { useForm } from '../form-context.ts';
import type { ListPage } from './use-page.ts';

/**
 * Shows which items of a long list are visible, with buttons for the others. Renders nothing for a list of
 * one page.
 */
export function ListPager({
  name,
  count,
  page,
}: {
  /** Of the list. */
  name: string;
  count: number;
  page: ListPage;
}) {
  const { words } = useForm();
  const { from, to, show } = page;
  if (to - from === count) return null;
  const ways = [
    { label: words.previousItems, index: from - 1, isEnd: from === 0 },
    { label: words.nextItems, index: to, isEnd: to === count },
  ];
  return (
    <div data-countersign="field-pager">
      <p role="status">{words.itemsShown(from + 1, to, count)}</p>
      {ways.map(({ label, index, isEnd }) => (
        <button
          key={label}
          type="button"
          data-countersign="field-button"
          aria-label={`${label}: ${name}`}
          aria-disabled={isEnd}
          onClick={() => !isEnd && show(index)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
