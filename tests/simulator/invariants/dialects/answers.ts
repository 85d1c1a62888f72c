import type { Exchange, History, Written } from '../../history.ts';
import { type Invariant, tally } from '../invariant.ts';

/** The first answer counts, from any client: answers that a dialect accepted are recorded, and answers that it refused are not. */
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
      const isRecorded = isSettling || hasVote(history, chatId, { ...given, who });
      const what = `${who}'s ${given.approved ? 'yes' : 'no'} to ${given.approvalId} in ${chatId}`;
      verify(
        status === 200 &&
          !isRecorded &&
          settled?.type !== 'approval-withdrawn' &&
          `${what} was accepted over ${exchange.path}, but the log has ${JSON.stringify(settled)}`,
        status === 409 &&
          /already.answered/i.test(JSON.stringify(json)) &&
          !settled &&
          `${what} was refused as late over ${exchange.path}, but nobody answered`,
      );
    }
    return result();
  },
};

type Given = { readonly approvalId: string; readonly approved: boolean };

function givenIn({ body }: Exchange): Given {
  return (body as { readonly answers: readonly [Given] }).answers[0];
}

function hasVote(
  { logs }: History,
  chatId: string,
  { approvalId, approved, who }: Given & { readonly who: string },
): boolean {
  const isVote = ({ event }: Written) =>
    event.type === 'approval-voted' &&
    event.approvalId === approvalId &&
    event.by.id === who &&
    event.approved === approved;
  return logs.get(chatId)?.some(isVote) ?? false;
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
