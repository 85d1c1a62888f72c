import { isRecord, parseJson } from '../../../protocol/index.ts';
import type { Budget } from '../budget.ts';
import { CannotCheck } from '../cannot-check.ts';

/** A response that was read to its end. */
export type Reply = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** The requests of a check of one server. */
export type Session = {
  /** The base address of the server. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly budget: Budget;
  /** @throws CannotCheck if nothing answers. BudgetSpent */
  send(path: string, init?: { body?: unknown; headers?: Record<string, string> }): Promise<Response>;
  /** The same, with a body of JSON; any other body reads as an empty object. */
  ask(path: string, body?: unknown): Promise<Reply>;
};

/** Requests within a budget. A body is posted. */
export function createSession(
  url: string,
  headers: Readonly<Record<string, string>>,
  budget: Budget,
): Session {
  const send: Session['send'] = async (path, { body, headers: more = {} } = {}) => {
    const signal = budget.take();
    const isText = typeof body === 'string';
    const posted = {
      method: 'POST',
      body: isText ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers, ...more },
    };
    try {
      return await fetch(`${url}${path}`, {
        signal,
        ...(body === undefined ? { headers: { ...headers, ...more } } : posted),
      });
    } catch (error) {
      budget.assertTime();
      const why = error instanceof Error ? error.message : String(error);
      throw new CannotCheck(`There was no response: ${why}. Is the server running at this address?`);
    }
  };
  return {
    url,
    headers,
    budget,
    send,
    async ask(path, body) {
      const response = await send(path, { body });
      const value = parseJson(await response.text().catch(() => ''));
      return { status: response.status, body: isRecord(value) ? value : {} };
    },
  };
}

/** Answers a question over HTTP. */
export function answerOverHttp(session: Session, approvalId: string, approved: boolean): Promise<Reply> {
  return session.ask(`/api/approvals/${encodeURIComponent(approvalId)}`, { approved });
}
