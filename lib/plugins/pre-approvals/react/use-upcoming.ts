'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import type { ApprovalsApi } from '../../../client/inbox/approvals-api.ts';
import type { Question } from '../../../client/question.ts';
import { requestUpcoming, type UpcomingCall } from '../client/upcoming-api.ts';
import type { PreApprovalsJson } from '../client/upcoming-json.ts';

/** The upcoming calls of a question, and the function that changes them. */
export type UpcomingState = {
  readonly calls: readonly UpcomingCall[];
  readonly isBusy: boolean;
  /** @returns false if it is unknown whether the change was recorded. The list is then reloaded */
  readonly change: (changes: PreApprovalsJson['calls']) => Promise<boolean>;
};

/** Loads the upcoming calls of an open question, if there are any. @source ADR 0041 */
export function useUpcoming(
  { api, fetch }: ApprovalsApi,
  { id, chatId, state, position }: Question,
): UpcomingState {
  const [calls, setCalls] = useState<readonly UpcomingCall[]>([]);
  const [isBusy, setBusy] = useState(false);
  /** Only the latest request counts. */
  const latest = useRef(0);
  const request = useCallback(
    async (changes?: PreApprovalsJson['calls']): Promise<boolean> => {
      latest.current += 1;
      const own = latest.current;
      const read = await requestUpcoming({ api, fetch }, { id, chatId }, changes);
      if (read && own === latest.current) setCalls(read);
      return read !== undefined;
    },
    [api, fetch, id, chatId],
  );
  const hasMore = state === 'open' && (position?.of ?? 0) > (position?.index ?? 0);
  useEffect(() => {
    if (hasMore) void request();
    return () => {
      latest.current += 1;
    };
  }, [request, hasMore]);
  const change = async (changes: PreApprovalsJson['calls']) => {
    setBusy(true);
    const isRecorded = await request(changes);
    if (!isRecorded) await request();
    setBusy(false);
    return isRecorded;
  };
  return { calls: hasMore ? calls : [], isBusy, change };
}
