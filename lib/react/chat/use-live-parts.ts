'use client';

import type { UIMessage } from 'ai';
import { type Dispatch, type Reducer, useDeferredValue, useReducer } from 'react';
import type { Draft } from '../../client/chat/draft.ts';
import {
  initialLiveParts,
  type LiveEvent,
  type LiveParts,
  reduceLiveParts,
} from '../../client/chat/live-parts.ts';
import type { StoredChat } from '../../client/chat/stored-chat.ts';

/** The state of a chat besides its messages, its draft, and the dispatch of new events. */
export type LivePartsHandle<Message extends UIMessage> = {
  readonly live: LiveParts<Message>;
  readonly draft: Draft;
  readonly feed: Dispatch<LiveEvent<Message>>;
};

/** Keeps that state. The draft is deferred, so that parsing Markdown for each delta does not slow typing. */
export function useLiveParts<Message extends UIMessage>(
  stored: StoredChat<Message> | undefined,
): LivePartsHandle<Message> {
  const reduce: Reducer<LiveParts<Message>, LiveEvent<Message>> = reduceLiveParts;
  const [live, feed] = useReducer(reduce, stored, initialLiveParts<Message>);
  const draft = useDeferredValue(live.draft);
  return { live, draft, feed };
}
