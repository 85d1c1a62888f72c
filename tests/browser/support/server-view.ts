import { z } from 'zod';

const payments = z.object({ payments: z.array(z.object({ recipient: z.string(), amount: z.number() })) });
const open = z.object({ approvals: z.array(z.object({ id: z.string(), chatId: z.string() })) });
const chat = z.object({ run: z.object({ status: z.string() }), messages: z.array(z.unknown()) });

/** The server's own state, independent of any page. @param url of the app */
export function serverAt(url: string) {
  const read = async (path: string): Promise<unknown> => (await fetch(new URL(path, url))).json();

  /** All executed payments, oldest first: `Alice 30`. */
  const paid = async (): Promise<string[]> =>
    payments
      .parse(await read('/api/demo/payments'))
      .payments.map(({ recipient, amount }) => `${recipient} ${amount}`);

  return {
    /** Starts counting. @returns a function that returns the payments since then, sorted */
    async countPayments(): Promise<() => Promise<string[]>> {
      const before = (await paid()).length;
      return async () => (await paid()).slice(before).sort();
    },
    /** Ids of the open questions of a chat. */
    async openQuestions(chatId: string): Promise<string[]> {
      const { approvals } = open.parse(await read('/api/approvals?state=open'));
      return approvals.filter((question) => question.chatId === chatId).map(({ id }) => id);
    },
    /** Answers a question like another device. @returns the status of the response */
    async answer(approvalId: string, approved: boolean): Promise<number> {
      const response = await fetch(new URL(`/api/approvals/${approvalId}`, url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ approved }),
      });
      return response.status;
    },
    /** The state of a chat's run; `gone` if the server has no such chat. */
    async runOf(chatId: string): Promise<string> {
      const response = await fetch(new URL(`/api/chat/${chatId}`, url));
      return response.status === 404 ? 'gone' : chat.parse(await response.json()).run.status;
    },
  };
}
