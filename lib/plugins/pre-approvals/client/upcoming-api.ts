import { reportMistake } from '../../../client/http/mistake.ts';
import type { ApprovalsApi } from '../../../client/inbox/approvals-api.ts';
import { parseQuestion, type Question } from '../../../client/question.ts';
import type { PreApprovalsJson, UpcomingCallJson } from './upcoming-json.ts';

/** A call that is asked about after an open question, as its question would show it. */
export type UpcomingCall = Pick<UpcomingCallJson, 'digest' | 'onlyWhenDue' | 'approved'> & {
  readonly question: Question;
};

/**
 * Reads the calls that follow a question, or changes which of them are pre-approved.
 *
 * @param changes default: none, the list is read
 * @returns the resulting list; `undefined` if the server refuses, or cannot be reached
 * @source H10
 */
export async function requestUpcoming(
  { api, fetch = globalThis.fetch }: ApprovalsApi,
  { id, chatId }: Pick<Question, 'id' | 'chatId'>,
  changes?: PreApprovalsJson['calls'],
): Promise<readonly UpcomingCall[] | undefined> {
  try {
    const response = await fetch(`${api}/${encodeURIComponent(id)}/upcoming`, {
      cache: 'no-store',
      method: changes ? 'POST' : undefined,
      headers: changes ? { 'content-type': 'application/json' } : undefined,
      body: changes ? JSON.stringify({ calls: changes }) : undefined,
    });
    if (!response.ok) return undefined;
    const { upcoming }: { upcoming: readonly UpcomingCallJson[] } = await response.json();
    return upcoming.flatMap(({ digest, onlyWhenDue, approved, ...shown }) => {
      const question = parseQuestion({ ...shown, id: shown.toolCallId, chatId, state: 'open' });
      const facts = { onlyWhenDue, approved };
      return question ? [{ question, digest, ...facts }] : [];
    });
  } catch (error) {
    reportMistake(error);
    return undefined;
  }
}
