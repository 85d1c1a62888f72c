'use client';

import type { UIMessage } from 'ai';
import { type Dispatch, type Reducer, useDeferredValue, useReducer } from 'react';
import { draftText } from '../../client/chat/draft.ts';
import {
  initialLiveParts,
  type LiveEvent,
  type LiveParts,
  reduceLiveParts,
} from '../../client/chat/live-parts.ts';
import type { StoredChat } from '../../client/chat/stored-chat.ts';

/** What is known of one chat beside its messages, its draft as Markdown, and the way to tell more. */
export type LivePartsHandle<Message extends UIMessage> = {
  readonly live: LiveParts<Message>;
  readonly draft: string;
  readonly feed: Dispatch<LiveEvent<Message>>;
};

/** Keeps it. The draft is deferred: parsing Markdown for each delta must not make typing slow. */
export function useLiveParts<Message extends UIMessage>(
  stored: StoredChat<Message> | undefined,
): LivePartsHandle<Message> {
  const reduce: Reducer<LiveParts<Message>, LiveEvent<Message>> = reduceLiveParts;
  const [live, feed] = useReducer(reduce, stored, initialLiveParts<Message>);
  const draft = useDeferredValue(draftText(live.draft));
  return { live, draft, feed };
}
