'use client';

import { useState } from 'react';
import type { UpcomingCall } from '../client/upcoming-api.ts';
import type { useUpcoming } from './use-upcoming.ts';
import type { UpcomingWords } from './words.ts';

/** The inputs of a selection: the upcoming calls, and the function that changes them. */
type Upcoming = Pick<ReturnType<typeof useUpcoming>, 'calls' | 'isBusy' | 'change'>;

/**
 * Which upcoming calls are selected, and the result of the last change.
 *
 * @param onSent called when the server has replied
 */
export function useUpcomingChoice(
  { calls, isBusy, change }: Upcoming,
  words: UpcomingWords,
  onSent: () => void,
) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [notice, setNotice] = useState('');
  const open = calls.filter(({ approved, onlyWhenDue }) => !approved && !onlyWhenDue);

  return {
    /** Those that can be pre-approved now. */
    open,
    chosen: open.filter((call) => ticked.has(call.question.id)),
    notice,
    isTicked: (call: UpcomingCall): boolean => ticked.has(call.question.id),

    tick(some: readonly UpcomingCall[], isTicked: boolean): void {
      setNotice('');
      setTicked((before) => {
        const after = new Set(before);
        for (const call of some) {
          if (isTicked) after.add(call.question.id);
          else after.delete(call.question.id);
        }
        return after;
      });
    },

    async send(some: readonly UpcomingCall[], approved: boolean): Promise<void> {
      if (isBusy) return;
      const isRecorded = await change(
        some.map(({ question: { toolCallId }, digest }) => ({ toolCallId, digest, approved })),
      );
      setTicked(new Set());
      setNotice(!isRecorded ? words.failed : approved ? words.done(some.length) : words.takenBack);
      onSent();
    },
  };
}
