import type { APIRequestContext, Page } from 'playwright-core';
import { z } from 'zod';
import type { Login } from './people.ts';

const payments = z.object({ payments: z.array(z.object({ recipient: z.string(), amount: z.number() })) });
const open = z.object({ approvals: z.array(z.object({ id: z.string(), chatId: z.string() })) });
const chat = z.object({ run: z.object({ status: z.string() }), messages: z.array(z.unknown()) });

/**
 * Starts counting the executed payments of everybody.
 *
 * @param url of the app
 * @returns a function that returns the payments since then, sorted: `Alice 30`
 */
export async function countPayments(url: string): Promise<() => Promise<string[]>> {
  const read = async () => payments.parse(await (await fetch(new URL('/api/demo/payments', url))).json());
  const before = (await read()).payments.length;
  return async () =>
    (await read()).payments
      .slice(before)
      .map(({ recipient, amount }) => `${recipient} ${amount}`)
      .sort();
}

/**
 * Sends a message to a new chat as a person, without a page.
 *
 * @param url of the app
 * @returns the id of the question that it leads to
 */
export async function ask(url: string, login: Login, text: string): Promise<string> {
  const post = (path: string, body: object, headers?: Record<string, string>) =>
    fetch(new URL(path, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const session = (await post('/api/session', login)).headers.getSetCookie();
  const cookie = session.map((each) => each.split(';')[0]).join('; ');
  const id = crypto.randomUUID();
  const message = { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] };
  // The response ends at the question.
  await (await post('/api/chat', { id, message }, { cookie })).text();
  const response = await fetch(new URL('/api/approvals?state=open', url), { headers: { cookie } });
  const { approvals } = open.parse(await response.json());
  const question = approvals.find(({ chatId }) => chatId === id);
  if (!question) throw new Error(`“${text}” led to no question.`);
  return question.id;
}

/**
 * The server's own state, as far as a page's user may know it, independent of what the page shows.
 *
 * @param url of the app. Default: the page's
 */
export function serverOf(page: Page, url?: string) {
  const api: APIRequestContext = page.request;
  const at = (path: string) => new URL(path, url ?? page.url()).href;
  return {
    /** Ids of the open questions of a chat. Default: the page's. */
    async openQuestions(chatId?: string): Promise<string[]> {
      const wanted = chatId ?? (await chatIdOf(page));
      const { approvals } = open.parse(await (await api.get(at('/api/approvals?state=open'))).json());
      return approvals.filter((question) => question.chatId === wanted).map(({ id }) => id);
    },
    /** Answers a question like another device. @returns the status of the response */
    async answer(approvalId: string, approved: boolean): Promise<number> {
      return (await api.post(at(`/api/approvals/${approvalId}`), { data: { approved } })).status();
    },
    /** The state of the run of a chat, by default the page's; `gone` if the server has no such chat. */
    async runOf(chatId?: string): Promise<string> {
      const response = await api.get(at(`/api/chat/${chatId ?? (await chatIdOf(page))}`));
      return response.status() === 404 ? 'gone' : chat.parse(await response.json()).run.status;
    },
  };
}

/** The id of the chat on a page, once its address has it. */
export async function chatIdOf(page: Page): Promise<string> {
  const chat = ({ pathname, searchParams }: URL) =>
    searchParams.get('c') ?? /^\/chats\/([^/]+)$/.exec(pathname)?.[1];
  await page.waitForURL((url) => chat(url) !== undefined);
  return chat(new URL(page.url())) ?? '';
}
