'use client';

import type { ChatTransport, UIMessage } from 'ai';
import { type Dispatch, type RefObject, type SetStateAction, useMemo, useRef, useState } from 'react';
import type { GivenAnswers } from '../../../client/chat/given-answers.ts';
import type { LiveEvent } from '../../../client/chat/live-parts.ts';
import { isAboutAnswer } from '../../../client/chat/request-failure.ts';
import {
  type ApprovalTransport,
  type RequestKind,
  watchedTransport,
} from '../../../client/chat/watched-transport.ts';
import type { RequestFailure } from './explain-failure.ts';

/** The requests of a chat: the transport to send them over, what the last one was, and why it failed. */
export type ChatRequests<Message extends UIMessage> = {
  /** For `useChat`. */
  readonly transport: ChatTransport<Message>;
  readonly last: RefObject<RequestKind>;
  /** The page requests a replay. The SDK's status does not show this. */
  readonly isResuming: boolean;
  readonly failure: RequestFailure | undefined;
  readonly setFailure: Dispatch<SetStateAction<RequestFailure | undefined>>;
};

/** What watching requests needs. */
export type ChatRequestsSettings<Message extends UIMessage> = {
  readonly transport: ApprovalTransport<Message>;
  readonly answers: GivenAnswers;
  readonly feed: (event: LiveEvent<Message>) => void;
};

/** Watches the requests of a chat. A new request clears the failure of the one before. */
export function useChatRequests<Message extends UIMessage>(
  settings: ChatRequestsSettings<Message>,
): ChatRequests<Message> {
  const { transport, answers, feed } = settings;
  const [failure, setFailure] = useState<RequestFailure>();
  const last = useRef<RequestKind>('turn');
  const [isResuming, resuming] = useState(false);

  const watched = useMemo(
    () =>
      watchedTransport(transport, {
        began(kind) {
          last.current = kind;
          // The result of an answer stays while its question is replayed.
          setFailure((now) => (kind === 'replay' && now && isAboutAnswer(now.kind) ? now : undefined));
          feed({ type: kind === 'turn' ? 'turn-began' : 'response-began' });
        },
        resuming,
        replied: answers.replied,
        acknowledged: (ids) => feed({ type: 'acknowledged', ids }),
        voted: (id) => feed({ type: 'voted', id }),
        answers: answers.all,
        asked: answers.askedAgain,
      }),
    [transport, answers, feed],
  );

  return { transport: watched, last, isResuming, failure, setFailure };
}
