'use client';

import { useDeferredValue, useReducer } from 'react';
import { draftText } from './draft.ts';
import type { LiveEvent, LiveParts } from './live-parts.ts';
import { initialLiveParts, reduceLiveParts } from './live-parts.ts';

/** The live parts of one chat, its draft as Markdown, and the way to feed them. */
export type LivePartsHandle = { live: LiveParts; draft: string; feed: (event: LiveEvent) => void };

/**
 * Keeps what transient parts tell. The draft is deferred: parsing Markdown for each delta must not make
 * typing slow.
 */
export function useLiveParts(storedDraft: string | undefined): LivePartsHandle {
  const [live, feed] = useReducer(reduceLiveParts, storedDraft, initialLiveParts);
  const draft = useDeferredValue(draftText(live.draft));
  return { live, draft, feed };
}
