'use client';

import type { UIMessage } from 'ai';
import { useState } from 'react';
import type { ApprovalTransport } from '../../../client/chat/watched-transport.ts';
import { useLatest } from '../../use-latest.ts';

/** Stopping a run, and whether that is in progress. */
export type Stopping = { readonly isStopping: boolean; readonly stop: () => Promise<void> };

/** What stopping needs. */
export type StopSettings<Message extends UIMessage> = {
  readonly chat: { readonly id: string; readonly stop: () => Promise<void> };
  readonly transport: ApprovalTransport<Message>;
  readonly synchronize: () => Promise<void>;
  readonly onBegin: () => void;
  readonly onFailure: (error: Error) => void;
};

/** Stops the run on the server if the transport can, otherwise stops reading it. */
export function useStop<Message extends UIMessage>(settings: StopSettings<Message>): Stopping {
  const { chat, transport, synchronize, onBegin, onFailure } = settings;
  const [isStopping, setStopping] = useState(false);
  const stop = useLatest(async () => {
    setStopping(true);
    onBegin();
    try {
      await transport.cancel?.(chat.id);
      await chat.stop();
      if (transport.cancel) await synchronize();
    } catch (error) {
      onFailure(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setStopping(false);
    }
  });
  return { isStopping, stop };
}
