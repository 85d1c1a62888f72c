'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import type { Decision } from '../../../client/question.ts';
import { refusalText } from '../../../client/refusal-text.ts';
import { useLatest } from '../../use-latest.ts';

const settlingMs = 300;

/** State of an answer. `settling`: the card is new, or its answer was refused, and ignores answers for a moment. */
export type Standing = 'settling' | 'ready' | 'sending' | 'sent';

/** The two answers of a card, guarded. */
export type Answering = {
  readonly standing: Standing;
  /** Why the last answer was refused, for people. */
  readonly refusal: string | undefined;
  /** Does nothing unless `standing` is `ready`. */
  readonly answer: (decision: Decision) => void;
};

/**
 * Guards a card against accidental answers: a double click whose second half lands on the next question, a held key, a
 * second answer while the first is being sent. A refused answer can be repeated.
 *
 * @param onDecide refuses by throwing or rejecting; its message is shown
 * @param failure the same, from somewhere else: when it comes after an answer was given, that one was refused
 */
export function useAnswering(
  onDecide: (decision: Decision) => unknown,
  failure: string | undefined,
): Answering {
  const [standing, setStanding] = useState<Standing>('settling');
  const [refusal, setRefusal] = useState(failure);
  // Two clicks can come before React renders again.
  const isReady = useRef(false);

  useEffect(() => {
    if (standing !== 'settling') return;
    const timer = setTimeout(() => {
      isReady.current = true;
      setStanding('ready');
    }, settlingMs);
    return () => clearTimeout(timer);
  }, [standing]);

  const refuse = useCallback((words: string) => {
    setRefusal(words);
    setStanding('settling');
  }, []);

  const onFailure = useLatest((words: string) => {
    if (standing === 'sending' || standing === 'sent') refuse(words);
  });
  useEffect(() => {
    if (failure !== undefined) onFailure(failure);
  }, [failure, onFailure]);

  const answer = (decision: Decision) => {
    if (!isReady.current) return;
    isReady.current = false;
    setRefusal(undefined);
    setStanding('sending');
    void deliver(decision, onDecide).then((refused) => {
      if (refused === undefined) setStanding((now) => (now === 'sending' ? 'sent' : now));
      else refuse(refused);
    });
  };

  return { standing, refusal, answer };
}

async function deliver(
  decision: Decision,
  onDecide: (decision: Decision) => unknown,
): Promise<string | undefined> {
  try {
    await onDecide(decision);
    return undefined;
  } catch (error) {
    return refusalText(error);
  }
}
