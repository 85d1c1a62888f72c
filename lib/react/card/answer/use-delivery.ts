'use client';

import { useEffect, useState } from 'react';
import type { NewAnswer } from '../../../client/question.ts';
import { useServerConnection } from '../../connection/server-connection.ts';
import { useLatest } from '../../use-latest.ts';

/**
 * How long an answer may wait for the connection, in milliseconds. After that, the person must answer again.
 */
const longestWaitMs = 60_000;

/** An answer that cannot be sent now. `seconds`: until it is dropped. */
export type UnsentAnswer =
  | { readonly state: 'none' }
  /** The person has not yet chosen whether to send it later. */
  | { readonly state: 'unsent'; readonly answer: NewAnswer }
  | {
      readonly state: 'queued';
      readonly answer: NewAnswer;
      readonly until: number;
      readonly seconds: number;
    }
  /** It was not sent: it waited too long, or the connection came back before the person chose. */
  | { readonly state: 'dropped'; readonly answer: NewAnswer };

/** Answers while the connection is lost. */
export type Delivery = {
  readonly isConnected: boolean;
  readonly unsent: UnsentAnswer;
  /** Sends an answer, or keeps it without sending while the connection is lost. */
  readonly give: (answer: NewAnswer) => void;
  /** Sends the kept answer as soon as the connection is back, within a minute. */
  readonly queue: () => void;
  /** Drops the kept answer. */
  readonly takeBack: () => void;
};

const none: UnsentAnswer = { state: 'none' };

/**
 * Keeps an answer while the page is disconnected. It is sent only if the person asks for it, and never after
 * it has waited for more than a minute, even if the machine was asleep.
 *
 * @param isOpen whether the question can still be answered
 * @param send returns false if the card does not accept the answer now; the answer is then kept
 * @source ADR 0038
 */
export function useDelivery(isOpen: boolean, send: (answer: NewAnswer) => boolean): Delivery {
  const { isConnected } = useServerConnection();
  const [unsent, setUnsent] = useState<UnsentAnswer>(none);

  const onTime = useLatest(() => {
    if (unsent.state !== 'queued') return;
    const seconds = Math.ceil((unsent.until - Date.now()) / 1_000);
    setUnsent(seconds > 0 ? { ...unsent, seconds } : { state: 'dropped', answer: unsent.answer });
  });
  const isQueued = unsent.state === 'queued';
  useEffect(() => {
    if (!isQueued) return;
    const timer = setInterval(onTime, 1_000);
    return () => clearInterval(timer);
  }, [isQueued, onTime]);

  const onConnection = useLatest(() => {
    if (unsent.state === 'none') return;
    const { answer } = unsent;
    const isSent = unsent.state === 'queued' && Date.now() < unsent.until && send(answer);
    setUnsent(isSent ? none : { state: 'dropped', answer });
  });
  useEffect(() => {
    if (isConnected) onConnection();
  }, [isConnected, onConnection]);
  useEffect(() => {
    if (!isOpen) setUnsent(none);
  }, [isOpen]);

  return {
    isConnected,
    unsent,
    give(answer) {
      if (unsent.state === 'queued') return;
      if (!isConnected) return setUnsent({ state: 'unsent', answer });
      setUnsent(none);
      send(answer);
    },
    queue() {
      if (unsent.state !== 'unsent') return;
      const seconds = longestWaitMs / 1_000;
      setUnsent({ ...unsent, state: 'queued', until: Date.now() + longestWaitMs, seconds });
    },
    takeBack: () => setUnsent(none),
  };
}
