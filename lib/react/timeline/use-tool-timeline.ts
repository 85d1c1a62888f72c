'use client';

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type LoadedTimeline, loadTimeline, type TimelineApi } from '../../client/timeline/load-timeline.ts';
import type { Timeline } from '../../client/timeline/parse-timeline.ts';
import { useReconnected } from '../connection/server-connection.ts';
import { useApprovalFeed } from '../inbox/approval-feed.tsx';
import { useLatest } from '../use-latest.ts';

/** The timeline of a chat, kept up to date. */
export type ToolTimelineState = {
  readonly state: 'loading' | LoadedTimeline['type'];
  /** The last one that was loaded, even if loading failed later. */
  readonly timeline: Timeline | undefined;
  readonly refresh: () => void;
};

/** The feed does not report changes of an active run. */
const pollMs = 1_000;

/**
 * Loads the timeline of a chat, and loads it again when a question opens or settles, each second while a run is
 * active, and when the page becomes visible again.
 */
export function useToolTimeline(chatId: string, { api, fetch }: TimelineApi = {}): ToolTimelineState {
  const [loaded, setLoaded] = useState<{ type: ToolTimelineState['state']; timeline?: Timeline }>({
    type: 'loading',
  });
  const newest = useRef(0);

  const load = useCallback(async () => {
    newest.current += 1;
    const loading = newest.current;
    const result = await loadTimeline(chatId, { api, fetch });
    // A slower, older response must not replace a newer one.
    if (loading !== newest.current) return;
    setLoaded((before) => ({ ...before, ...result }));
  }, [chatId, api, fetch]);
  const refresh = useCallback(() => void load(), [load]);

  useEffect(() => {
    setLoaded({ type: 'loading' });
    refresh();
    return () => {
      newest.current += 1;
    };
  }, [refresh]);
  useApprovalFeed(({ question }) => {
    if (question.chatId === chatId) refresh();
  });
  useReconnected(refresh);

  const onVisible = useLatest(() => {
    if (document.visibilityState === 'visible') refresh();
  });
  useEffect(() => {
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [onVisible]);

  const isActive = loaded.timeline?.status === 'active';
  useEffect(() => {
    if (!isActive) return;
    const timer = setInterval(() => refresh(), pollMs);
    return () => clearInterval(timer);
  }, [isActive, refresh]);

  return useMemo(() => ({ state: loaded.type, timeline: loaded.timeline, refresh }), [loaded, refresh]);
}
