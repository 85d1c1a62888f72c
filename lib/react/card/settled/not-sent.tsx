'use client';

import { useEffect, useState } from 'react';
import { forgetUnsent, readUnsent, type Unsent } from '../../../client/card/unsent.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import { canonicalJson } from '../../../protocol/json.ts';
import { useCardWords } from '../../words/card-words.ts';

/** What this person typed about a question that was settled without it. */
export type UnsentText = { readonly text: string; readonly discard: () => void };

/**
 * @param approvalId of a settled question; without one, there is nothing
 * @param recorded what the log has: an answer that was not confirmed may have arrived
 */
export function useUnsent(
  approvalId: string | undefined,
  recorded: readonly unknown[],
): UnsentText | undefined {
  const [unsent, setUnsent] = useState<Unsent>();
  // After hydration: the server does not have it.
  useEffect(() => {
    setUnsent(approvalId === undefined ? undefined : readUnsent(approvalId));
  }, [approvalId]);
  const sent = recorded.map(canonicalJson);
  const text = Object.values(unsent ?? {})
    .filter((typed) => !sent.includes(canonicalJson(typed)))
    .map((typed) => (typeof typed === 'string' ? typed : JSON.stringify(typed, null, 2)))
    .join('\n\n');
  if (approvalId === undefined || text === '') return undefined;
  const discard = () => {
    forgetUnsent(approvalId);
    setUnsent(undefined);
  };
  return { text, discard };
}

/** Says that a reason or an edit was not sent, with the text, to copy or to discard. */
export function NotSent({ text, discard }: UnsentText) {
  const words = useCardWords();
  const [isCopied, setCopied] = useState(false);
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
