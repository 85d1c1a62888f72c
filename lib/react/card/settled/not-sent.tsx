'use client';

import { useEffect, useState } from 'react';
import { forgetUnsent, readUnsent, type Unsent } from '../../../client/unsent.ts';
import { visibleText } from '../../../client/visible-text.ts';
import { useCardWords } from '../../words/use-words.ts';

/** What this person typed about a question that was settled without it. */
export type UnsentText = { readonly unsent: Unsent; readonly discard: () => void };

/** @param approvalId of a settled question; without one, there is nothing */
export function useUnsent(approvalId: string | undefined): UnsentText | undefined {
  const [unsent, setUnsent] = useState<Unsent>();
  // After hydration: the server does not have it.
  useEffect(() => {
    setUnsent(approvalId === undefined ? undefined : readUnsent(approvalId));
  }, [approvalId]);
  if (approvalId === undefined || !unsent) return undefined;
  const discard = () => {
    forgetUnsent(approvalId);
    setUnsent(undefined);
  };
  return { unsent, discard };
}

/** Says that a reason or an edit was not sent, with the text, to copy or to discard. */
export function NotSent({ unsent: { reason, input }, discard }: UnsentText) {
  const words = useCardWords();
  const [isCopied, setCopied] = useState(false);
  const parts = [reason ?? '', input === undefined ? '' : JSON.stringify(input, null, 2)];
  const text = parts.filter(Boolean).join('\n\n');
  return (
    <div data-countersign="not-sent">
      <p>{words.notSent}</p>
      <pre>{visibleText(text)}</pre>
      <button
        type="button"
        data-countersign="card-queue"
        onClick={() => void navigator.clipboard?.writeText(text).then(() => setCopied(true))}
      >
        {isCopied ? words.copied : words.copy}
      </button>
      <button type="button" data-countersign="card-take-back" onClick={discard}>
        {words.discard}
      </button>
    </div>
  );
}
