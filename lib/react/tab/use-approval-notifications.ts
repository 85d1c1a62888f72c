'use client';

import { useEffect, useRef, useState } from 'react';
import type { Question } from '../../client/question.ts';
import { useApprovalFeed } from '../inbox/approval-feed.tsx';
import { useLatest } from '../use-latest.ts';
import { canNotify, notifyOnce, shareVisibility } from './notify-once.ts';

const place = 'countersign-notifications';

/** Browser notifications, and functions to turn them on and off. */
export type ApprovalNotifications = {
  /** `blocked`: the person refused them in the browser's settings. `unsupported` also until the page is hydrated. */
  readonly state: 'unsupported' | 'blocked' | 'off' | 'on';
  /** Asks for permission if needed. Call it from a click handler, because browsers ignore it otherwise. */
  readonly turnOn: () => Promise<void>;
  readonly turnOff: () => void;
};

/**
 * Notifies a person of each new question that they may answer, if they turned it on: once for all tabs, and
 * not while a tab of the origin is visible. The notification closes when the question is settled. The choice
 * is kept in this browser. The text is the question's title and sentence, which may appear on a lock screen.
 * Reads the feed of the `ApprovalFeedProvider` above, or opens its own.
 *
 * @param onOpen navigates to the question; the tab already has the focus
 * @source H11
 */
export function useApprovalNotifications(onOpen: (question: Question) => void): ApprovalNotifications {
  const [state, setState] = useState<ApprovalNotifications['state']>('unsupported');
  const open = useLatest(onOpen);
  const shown = useRef(new Map<string, AbortController>());

  useEffect(() => {
    if (!canNotify()) return;
    const left = new AbortController();
    const { signal } = left;
    shareVisibility(signal);
    setState(readState());
    // Another tab may have changed it.
    window.addEventListener('storage', () => setState(readState()), { signal });
    const current = shown.current;
    return () => {
      left.abort();
      for (const one of current.values()) one.abort();
      current.clear();
    };
  }, []);

  useApprovalFeed(({ type, question }) => {
    if (type === 'settled') {
      shown.current.get(question.id)?.abort();
      shown.current.delete(question.id);
    } else if (state === 'on' && question.mayAnswer && !shown.current.has(question.id)) {
      const settled = new AbortController();
      shown.current.set(question.id, settled);
      void notifyOnce(question, settled.signal, () => open(question));
    }
  });

  const choose = (isOn: boolean) => {
    keep(isOn);
    setState(readState());
  };
  return {
    state,
    async turnOn() {
      if (!canNotify()) return;
      if (Notification.permission === 'default') await Notification.requestPermission();
      choose(Notification.permission === 'granted');
    },
    turnOff: () => choose(false),
  };
}

function readState(): ApprovalNotifications['state'] {
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' && isKeptOn() ? 'on' : 'off';
}

function isKeptOn(): boolean {
  try {
    return localStorage.getItem(place) === 'on';
  } catch {
    return false;
  }
}

function keep(isOn: boolean): void {
  try {
    localStorage.setItem(place, isOn ? 'on' : 'off');
  } catch {
    // Without storage, notifications stay off.
  }
}
