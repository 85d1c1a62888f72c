'use client';

import { useEffect, useRef, useState } from 'react';
import type { LoadPreview, PreviewedCall } from '../../../client/http/load-preview.ts';
import type { Question } from '../../../client/question.ts';
import { useLatest } from '../../use-latest.ts';
import type { Editing } from '../answer/editing.ts';

/** How long the server counts an effect as current. */
const currentMs = 60_000;
/** The pause after a key press before the server is queried. */
const quietMs = 400;
/** The longest time that an approval waits for the effect of its edits: the server takes at most three seconds. */
const longestMs = 5_000;

/** What the question shows for the current arguments in the card. */
export type PreviewState = {
  /** Made by the server; absent for edited arguments until it has answered. */
  readonly previewed: Partial<PreviewedCall>;
  /** Sent with an approval; absent if no effect is known. */
  readonly previewDigest: string | undefined;
  /** The effect of edited arguments is being determined. */
  readonly isAwaited: boolean;
};

/**
 * Keeps the sentence and effect of the question: as sent at first, reloaded if the effect is old or an answer
 * was refused, and for edited arguments as determined by the server. If loading fails, the previous values
 * stay.
 */
export function usePreview(
  question: Question,
  load: LoadPreview,
  { editing, canApprove, refusal }: { editing: Editing; canApprove: boolean; refusal: string | undefined },
): PreviewState {
  const [own, setOwn] = useState<PreviewedCall>();
  /** For the arguments of the last request. Without `previewed`, loading failed. */
  const [edited, setEdited] = useState<{ input: string; previewed?: PreviewedCall }>();
  const { changes, problems } = editing;
  // As text, because a question that is loaded again has new objects with the same content.
  const input = changes.length > 0 && problems === 0 ? JSON.stringify(editing.input) : undefined;

  const loadEdited = useLatest((given: string) => {
    const isLatest = () => latest.current === given;
    load(question, JSON.parse(given)).then(
      (previewed) => isLatest() && setEdited({ input: given, previewed }),
      () => isLatest() && setEdited({ input: given }),
    );
  });
  const latest = useRef(input);
  useEffect(() => {
    latest.current = input;
    if (input === undefined) return;
    const timers = [
      setTimeout(() => loadEdited(input), quietMs),
      setTimeout(() => setEdited((now) => (now?.input === input ? now : { input })), longestMs),
    ];
    return () => timers.forEach(clearTimeout);
  }, [input, loadEdited]);

  const refresh = useLatest((at: string, isRefused: boolean) => {
    if (isRefused && input !== undefined) loadEdited(input);
    const isOld = isRefused || Date.now() - Date.parse(at) > currentMs;
    if (isOld && canApprove) load(question).then(setOwn, () => {});
  });
  const at = question.preview?.at;
  useEffect(() => {
    if (at !== undefined) refresh(at, refusal !== undefined);
  }, [refresh, at, refusal]);

  const previewed = previewedOf(
    question,
    own,
    changes.length > 0,
    edited?.input === input ? edited : undefined,
  );
  const { preview } = previewed;
  return {
    previewed,
    previewDigest: preview?.state === 'made' ? preview.digest : undefined,
    isAwaited: question.preview !== undefined && input !== undefined && edited?.input !== input,
  };
}

function previewedOf(
  question: Question,
  own: PreviewedCall | undefined,
  isEdited: boolean,
  edited: { previewed?: PreviewedCall } | undefined,
): Partial<PreviewedCall> {
  if (isEdited) return edited?.previewed ?? {};
  const isNewer = own?.preview && own.preview.at >= (question.preview?.at ?? '');
  return isNewer ? { ...own, description: question.description } : question;
}
