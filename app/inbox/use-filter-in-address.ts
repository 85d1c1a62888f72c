'use client';

import { formatInboxSearch, type InboxFilter, parseInboxSearch } from 'countersign/react';
import { useSearchParams } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';

/** Browsers limit how often an address may change. */
const quietMs = 300;

/** The filter of the inbox, kept in the page's address, so that it can be shared and survives a reload. */
export function useFilterInAddress(): [InboxFilter, (filter: InboxFilter) => void] {
  const search = useSearchParams().toString();
  const [filter, setFilter] = useState(() => parseInboxSearch(search));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    // While a person types, the address is behind.
    if (timer.current === undefined) setFilter(parseInboxSearch(search));
  }, [search]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const change = (next: InboxFilter) => {
    setFilter(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      history.replaceState(null, '', `${location.pathname}${formatInboxSearch(next)}`);
    }, quietMs);
  };
  return [filter, change];
}
