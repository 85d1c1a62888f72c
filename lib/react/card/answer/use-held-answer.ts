'use client';

import { useEffect, useState } from 'react';
import type { Decision } from '../../../client/question.ts';
import { useServerConnection } from '../../connection/server-connection.ts';
import { useLatest } from '../../use-latest.ts';

/**
 * How long an answer may wait for the connection, in milliseconds. After that, the person must decide again.
 */
const longestWaitMs = 60_000;

/** An answer that cannot be sent now. `seconds`: until it is dropped. */
export type HeldAnswer =
  | { readonly state: 'none' }
  /** The person has not yet chosen whether to send it later. */
  | { readonly state: 'held'; readonly decision: Decision }
  | {
      readonly state: 'queued';
      readonly decision: Decision;
      readonly until: number;
      readonly seconds: number;
    }
  /** It was not sent: it waited too long, or the connection came back before the person chose. */
  | { readonly state: 'dropped'; readonly decision: Decision };

/** Answers while the connection is lost. */
export type HeldAnswers = {
  readonly isConnected: boolean;
  readonly held: HeldAnswer;
  /** Sends an answer, or keeps it without sending while the connection is lost. */
  readonly give: (decision: Decision) => void;
  /** Sends the kept answer as soon as the connection is back, within a minute. */
  readonly queue: () => void;
  /** Drops the kept answer. */
  readonly takeBack: () => void;
};

const none: HeldAnswer = { state: 'none' };

/**
 * Keeps an answer while the page is disconnected. It is sent only if the person asks for it, and never after
 * it has waited for more than a minute, even if the machine was asleep.
 *
 * @param isOpen whether the question can still be answered
 * @param send returns false if the card does not accept the answer now; the answer is then kept
 * @source ADR 0038
 */
export function useHeldAnswer(isOpen: boolean, send: (decision: Decision) => boolean): HeldAnswers {
  const { isConnected } = useServerConnection();
  const [held, setHeld] = useState<HeldAnswer>(none);

  const onTime = useLatest(() => {
    if (held.state !== 'queued') return;
    const seconds = Math.ceil((held.until - Date.now()) / 1_000);
    setHeld(seconds > 0 ? { ...held, seconds } : { state: 'dropped', decision: held.decision });
  });
  const isQueued = held.state === 'queued';
  useEffect(() => {
    if (!isQueued) return;
    const timer = setInterval(onTime, 1_000);
    return () => clearInterval(timer);
  }, [isQueued, onTime]);

  const onConnection = useLatest(() => {
    if (held.state === 'none') return;
    const { decision } = held;
    const isSent = held.state === 'queued' && Date.now() < held.until && send(decision);
    setHeld(isSent ? none : { state: 'dropped', decision });
  });
  useEffect(() => {
    if (isConnected) onConnection();
  }, [isConnected, onConnection]);
  useEffect(() => {
    if (!isOpen) setHeld(none);
  }, [isOpen]);

  return {
    isConnected,
    held,
    give(decision) {
      if (held.state === 'queued') return;
      if (!isConnected) return setHeld({ state: 'held', decision });
      setHeld(none);
      send(decision);
    },
    queue() {
      if (held.state !== 'held') return;
      const seconds = longestWaitMs / 1_000;
      setHeld({ ...held, state: 'queued', until: Date.now() + longestWaitMs, seconds });
    },
    takeBack: () => setHeld(none),
  };
}
