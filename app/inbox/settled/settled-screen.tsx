'use client';

import { formatInboxSearch, SettledInbox, useSettledQuestions } from 'countersign/react';
import { Screen } from '../../_frame/screen.tsx';
import styles from '../inbox-screen.module.css';
import { InboxViews } from '../inbox-views.tsx';
import { questionHref } from '../question-href.ts';
import { useFilterInAddress } from '../use-filter-in-address.ts';

/** The requests of all chats that are no longer open. The filter is in the address. */
export function SettledScreen() {
  const [filter, setFilter] = useFilterInAddress();
  const settled = useSettledQuestions({ filter });
  return (
    <Screen title="Decided requests" className={styles.screen}>
      <InboxViews current="/inbox/settled" search={formatInboxSearch(filter)} />
      <SettledInbox
        settled={settled}
        filter={filter}
        onFilterChange={setFilter}
        questionHref={questionHref}
      />
    </Screen>
  );
}
