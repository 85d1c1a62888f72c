'use client';

import { visibleText } from 'countersign/react';
import { useCallback, useEffect, useState } from 'react';
import { Entry, timeText } from '../_entries/entry.tsx';
import { type Delivery, loadDeliveries, sendAgain } from './deliveries-api.ts';

const eventWords: Readonly<Record<string, string>> = {
  'question.opened': 'Question opened',
  'question.due-soon': 'Question due soon',
  'question.settled': 'Question settled',
  'question.withdrawn': 'Question withdrawn',
  'turn.ended': 'Turn ended',
  'turn.failed': 'Turn failed',
  'outcome.unknown': 'Outcome unknown',
};

/** Events that a subscriber did not get within a day, each with a button that sends it again. */
export function Deliveries() {
  const [deliveries, setDeliveries] = useState<readonly Delivery[]>();
  const [hasMore, setMore] = useState(false);
  const [problem, setProblem] = useState('');
  const load = useCallback(async () => {
    const page = await loadDeliveries();
    setProblem(page ? '' : 'The list couldn’t be loaded.');
    if (!page) return;
    setDeliveries(page.deliveries);
    setMore(page.nextCursor !== undefined);
  }, []);
  useEffect(() => {
    void load();
  }, [load]);

  async function again(delivery: Delivery): Promise<void> {
    if (await sendAgain(delivery)) await load();
    else setProblem('The event couldn’t be sent again.');
  }

  return (
    <>
      {problem !== '' && <p role="alert">{problem}</p>}
      {deliveries?.length === 0 && <p>Events appear here when a subscriber did not get them within a day.</p>}
      {deliveries !== undefined && deliveries.length > 0 && (
        <ul>
          {deliveries.map((delivery) => {
            const { subscriber, eventId, type, chatId, deadAt, error } = delivery;
            const event = eventWords[type] ?? type;
            return (
              <Entry
                key={`${subscriber} ${eventId}`}
                name={`${event}, for ${visibleText(subscriber)}`}
                action="Send again"
                actionLabel={`Send again: ${event}, for ${subscriber}`}
                onAction={() => again(delivery)}
              >
                <p>Chat {chatId}</p>
                <p>
                  Given up {timeText(deadAt)}. <bdi>{visibleText(error)}</bdi>
                </p>
              </Entry>
            );
          })}
        </ul>
      )}
      {hasMore && <p>There are more. They appear when these are sent.</p>}
    </>
  );
}
