'use client';

import type { ReactNode } from 'react';
import { createContext, useContext, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Question } from './question.ts';
import { parseQuestion } from './question.ts';

/** A question that was opened or settled, here or anywhere else. */
export type FeedEvent = { type: 'opened' | 'settled'; question: Question };

type Listener = (event: FeedEvent) => void;
type Subscribe = (listener: Listener) => () => void;

const FeedContext = createContext<Subscribe>(() => () => undefined);

const retryMs = 5_000;

/** Keeps one connection to the approvals feed for all parts of the page. @source contract H11 */
export function ApprovalFeedProvider({ children }: { children: ReactNode }) {
  const listeners = useRef(new Set<Listener>());
  const [subscribe] = useState<Subscribe>(() => (listener: Listener) => {
    listeners.current.add(listener);
    return () => listeners.current.delete(listener);
  });

  useEffect(
    () =>
      openFeed((event) => {
        for (const listener of listeners.current) listener(event);
      }),
    [],
  );

  return <FeedContext value={subscribe}>{children}</FeedContext>;
}

/** Calls `onEvent` for each question that opens or settles while the component is mounted. */
export function useApprovalFeed(onEvent: Listener): void {
  const subscribe = useContext(FeedContext);
  const listener = useEffectEvent(onEvent);
  useEffect(() => subscribe((event) => listener(event)), [subscribe]);
}

function openFeed(emit: Listener): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const connect = () => {
    source = new EventSource('/api/approvals/events');
    for (const type of ['opened', 'settled'] as const) {
      source.addEventListener(type, (event) => {
        const question = parseQuestion(event.data);
        if (question !== undefined) emit({ type, question });
      });
    }
    source.addEventListener('error', () => {
      // A browser gives up for good after an HTTP error, such as a restarting server's.
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(connect, retryMs);
    });
  };
  connect();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
