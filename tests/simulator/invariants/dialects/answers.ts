import type { Exchange, History } from '../../history.ts';
import { type Invariant, tally } from '../invariant.ts';

/**
 * The first answer counts, from any client: an answer that a dialect accepted is recorded. One that it refused as late
 * came after the answer that counts, or after another vote of the same person.
 */
export const dialectAnswers: Invariant = {
  name: 'an answer that a dialect accepted is the recorded one',
  check(history) {
    const { verify, result } = tally();
    for (const exchange of history.exchanges) {
      const { does, who, chatId = '', status, moment, json } = exchange;
      if (does !== 'answer over a dialect' || history.isGone(chatId, moment)) continue;
      if (status !== 200 && status !== 409) continue;
      const given = givenIn(exchange);
      const settled = settledBy(history, chatId, given.approvalId);
      const isSettling =
        settled?.type === 'approval-answered' && settled.by.id === who && settled.approved === given.approved;
      const votes = votesOf(history, chatId, { ...given, who });
      const isRecorded = isSettling || votes.some(({ approved }) => approved === given.approved);
      // Answers over a dialect have no reason here, so a vote with one is another.
      const isSecondVote = votes.some(
        ({ approved, reason }) => approved !== given.approved || reason !== undefined,
      );
      const what = `${who}'s ${given.approved ? 'yes' : 'no'} to ${given.approvalId} in ${chatId}`;
      verify(
        status === 200 &&
          !isRecorded &&
          settled?.type !== 'approval-withdrawn' &&
          `${what} was accepted over ${exchange.path}, but the log has ${JSON.stringify(settled)}`,
        status === 409 &&
          /already.answered/i.test(JSON.stringify(json)) &&
          !settled &&
          !isSecondVote &&
          `${what} was refused as late over ${exchange.path}, but nothing came before it`,
      );
    }
    return result();
  },
};

type Given = { readonly approvalId: string; readonly approved: boolean };

function givenIn({ body }: Exchange): Given {
  return (body as { readonly answers: readonly [Given] }).answers[0];
}

function votesOf(
  { logs }: History,
  chatId: string,
  { approvalId, who }: { readonly approvalId: string; readonly who: string },
) {
  const events = (logs.get(chatId) ?? []).map(({ event }) => event);
  return events
    .filter((event) => event.type === 'answer-recorded')
    .filter((event) => event.approvalId === approvalId && event.by.id === who);
}

function settledBy({ logs }: History, chatId: string, approvalId: string) {
  return logs
    .get(chatId)
    ?.map(({ event }) => event)
    .find(
      (event) =>
        (event.type === 'approval-answered' || event.type === 'approval-withdrawn') &&
        event.approvalId === approvalId,
    );
}
