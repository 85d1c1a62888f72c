'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import type { RequestFailure } from '../../../client/chat/requests/explain-failure.ts';
import { UnconfirmedAnswerError } from '../../../client/inbox/answer-result.ts';
import type { NewAnswer } from '../../../client/question.ts';
import { fieldErrorsIn, refusalText } from '../../../client/text/refusal-text.ts';
import { useLatest } from '../../use-latest.ts';
import { useCardWords } from '../../words/card-words.ts';

/** How long a card ignores answers when it, or its content, is new. Milliseconds. */
const guardMs = 300;

/**
 * State of an answer. `guarded`: the card's content is new, or its answer was refused, and the card ignores
 * answers for a moment.
 */
export type AnswerProgress = 'guarded' | 'ready' | 'sending' | 'sent';

/** Why an answer failed: the server's reason for refusing it, or what `useApprovalChat` says. */
export type CardFailure = string | RequestFailure;

/**
 * What a card shows about a failed answer. `fieldErrors`: the edited arguments that did not fit, as the server
 * sent them.
 */
type Refusal = { readonly detail: string; readonly fieldErrors?: unknown };

/** The two answers of a card, guarded. */
export type Answering = {
  readonly progress: AnswerProgress;
  /** Why the last answer was refused, for people. */
  readonly refusal: string | undefined;
  /** The edited arguments that did not fit, as the server sent them. */
  readonly fieldErrors: unknown;
  /** Does nothing unless `progress` is `ready`. @returns whether the answer is on its way */
  readonly answer: (answer: NewAnswer) => boolean;
};

/**
 * Guards a card against accidental answers: a double click whose second half lands on the next question, a held key, a
 * second answer while the first is being sent. A refused answer can be repeated.
 *
 * @param onAnswer refuses by throwing or rejecting; its message is shown
 * @param failed the same, from outside: if it arrives after an answer was given, that answer was refused
 */
export function useAnswering(
  onAnswer: (answer: NewAnswer) => unknown,
  failed: CardFailure | undefined,
): Answering {
  const { refused } = useCardWords();
  const failure = refusalOf(failed, refused);
  const [progress, setProgress] = useState<AnswerProgress>('guarded');
  const [refusal, setRefusal] = useState(failure);
  // Two clicks can occur before React renders again.
  const isReady = useRef(false);

  useEffect(() => {
    if (progress !== 'guarded') return;
    const timer = setTimeout(() => {
      isReady.current = true;
      setProgress('ready');
    }, guardMs);
    return () => clearTimeout(timer);
  }, [progress]);

  const refuse = useCallback((reason: Refusal) => {
    setRefusal(reason);
    setProgress('guarded');
  }, []);

  const onFailure = useLatest((reason: Refusal) => {
    if (progress === 'sending' || progress === 'sent') refuse(reason);
    // New information about the same answer.
    else if (refusal !== undefined) setRefusal(reason);
  });
  const { detail, fieldErrors } = failure ?? {};
  useEffect(() => {
    if (detail !== undefined) onFailure({ detail, fieldErrors });
  }, [detail, fieldErrors, onFailure]);

  const answer = (given: NewAnswer) => {
    if (!isReady.current) return false;
    isReady.current = false;
    setRefusal(undefined);
    setProgress('sending');
    void deliver(given, onAnswer, refused).then((refusal) => {
      if (refusal === undefined) setProgress((now) => (now === 'sending' ? 'sent' : now));
      else refuse(refusal);
    });
    return true;
  };
  return { progress, refusal: refusal?.detail, fieldErrors: refusal?.fieldErrors, answer };
}

/**
 * Whether a value has been on the page for a moment. Until then, the content under the pointer may differ
 * from what the person read. True for the first value.
 */
export function useIsSteady(value: string | undefined): boolean {
  const [steady, setSteady] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSteady(value), guardMs);
    return () => clearTimeout(timer);
  }, [value]);
  return value === steady;
}

async function deliver(
  answer: NewAnswer,
  onAnswer: (answer: NewAnswer) => unknown,
  refused: string,
): Promise<Refusal | undefined> {
  try {
    await onAnswer(answer);
    return undefined;
  } catch (error) {
    if (UnconfirmedAnswerError.is(error)) return { detail: error.message };
    return { detail: `${refused} ${refusalText(error)}`.trim(), fieldErrors: fieldErrorsIn(error) };
  }
}

/** The text for a failure; nothing for a failure that does not concern an answer. */
function refusalOf(failure: CardFailure | undefined, refused: string): Refusal | undefined {
  if (failure === undefined) return undefined;
  if (typeof failure === 'string') return { detail: `${refused} ${failure}`.trim() };
  const { kind, title, detail, fieldErrors } = failure;
  if (kind === 'refused') return { detail: `${refused} ${detail}`.trim(), fieldErrors };
  return kind === 'unconfirmed' || kind === 'not-received' ? { detail: `${title}. ${detail}` } : undefined;
}
