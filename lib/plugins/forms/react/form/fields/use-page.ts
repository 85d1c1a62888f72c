'use client';

import { useState } from 'react';
import type { FieldPath } from '../../../../../protocol/field-path.ts';
import { useForm } from '../form-context.ts';

/**
 * How many items of a list are shown at a time: a page with a thousand items' fields would be unresponsive.
 */
const pageSize = 20;

/** A page of a list. `from` and `to` are indexes; `to` is exclusive. */
export type ListPage = {
  readonly from: number;
  readonly to: number;
  /** Shows the page of an item. */
  readonly show: (index: number) => void;
};

/**
 * The items of a list that are shown: the first page, then the one that the person or a link to a problem
 * selects.
 *
 * @param path of the list
 * @param count of its items
 */
export function usePage(path: FieldPath, count: number): ListPage {
  const { sought } = useForm();
  const [item, setItem] = useState(0);
  const [followed, setFollowed] = useState<typeof sought>();
  if (sought !== followed) {
    setFollowed(sought);
    const index = sought?.path.startsWith(`${path}/`) ? sought.path.slice(path.length + 1) : undefined;
    if (index !== undefined) setItem(Number.parseInt(index, 10));
  }
  const shown = Math.max(0, Math.min(item, count - 1));
  const from = shown - (shown % pageSize);
  return { from, to: Math.min(from + pageSize, count), show: setItem };
}
