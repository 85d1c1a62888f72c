import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Refusal } from '../../../cli/approvals/exit-code.ts';
import { followFeed } from '../../../cli/approvals/feed.ts';
import { type Details, detailsOf, readQuestion } from '../../../cli/approvals/question.ts';
import type { Server } from '../../../cli/approvals/server.ts';
import { backoff } from '../../../protocol/clock/backoff.ts';
import { sleep } from '../../../protocol/clock/sleep.ts';
import { canonicalJson } from '../../../protocol/index.ts';
import type { AgentRequestJson } from '../agent-request.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

const requestTool = 'request_approval';

/** How often a request is sent, with the same key, if it is unknown whether it arrived. */
const mostAttempts = 6;

/** A request as an agent makes it. `key`: the same key asks once. */
export type Asked = AgentRequestJson & { readonly key?: string; readonly deadlineMs?: number };

/** The requests of one agent, on one server. @source ADR 0044.7 */
export function createRequests(server: Server) {
  /** Keys of requests that this process waits for, by content: a repeated call joins the first one. */
  const waiting = new Map<string, string>();

  /** Asks, and returns the question. Sent again, with the same key, while the server cannot be reached. */
  async function ask({ key: given, ...request }: Asked): Promise<Details> {
    const content = canonicalJson(request);
    const key = given ?? waiting.get(content) ?? randomUUID();
    waiting.set(content, key);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const headers = { 'idempotency-key': key };
        return detailsOf(await server.request('POST', '/approvals', request, headers));
      } catch (error) {
        const mayHaveArrived = error instanceof Refusal && mayRepeat.has(error.code);
        if (mayHaveArrived && attempt < mostAttempts) await sleep(delayAfter(attempt));
        else {
          waiting.delete(content);
          throw error;
        }
      }
    }
  }

  /** A request that was made before, by this agent. @throws Refusal `not-found` for any other question */
  async function find(id: string): Promise<Details> {
    const details = await readQuestion(server, id);
    if (details.approval.toolName === requestTool) return details;
    throw new Refusal({ code: 'not-found', message: `Question ${id} is not a request for approval.` });
  }

  /**
   * Waits for the outcome of a request.
   *
   * @param signal ends the wait
   * @returns the outcome; `open` if the wait ended before
   */
  async function outcome(id: string, signal: AbortSignal): Promise<Outcome> {
    const ended = new AbortController();
    let current = id;
    try {
      for await (const report of followFeed(server, AbortSignal.any([signal, ended.signal]))) {
        const concerns =
          report.type === 'connected' || ('question' in report && report.question.id === current);
        if (!concerns) continue;
        const found = await confirmed(server, current, signal);
        if (found.status !== 'open') return found;
        current = found.approval_id;
      }
      return { status: 'open', approval_id: current };
    } finally {
      ended.abort();
    }
  }

  /** Withdraws a request. Nothing happens if it is decided. */
  async function withdraw({ approval: { chatId } }: Details): Promise<void> {
    await server.request('DELETE', `/chat/${encodeURIComponent(chatId)}/run`);
  }

  /** A later call with the same content asks again. */
  function forget({ key: _key, ...request }: Asked): void {
    waiting.delete(canonicalJson(request));
  }

  return { ask, find, outcome, withdraw, forget };
}

/** @see createRequests */
export type Requests = ReturnType<typeof createRequests>;

const mayRepeat = new Set(['unreachable', 'unavailable', 'run-active', 'internal']);

function delayAfter(attempts: number): number {
  return backoff(attempts, 250, 2_000);
}

/**
 * The outcome as of now. If it is approved, waits until the server has checked its record and ended the call. A question that
 * was replaced, because the server was updated, is continued by the one that replaced it.
 */
async function confirmed(server: Server, id: string, signal: AbortSignal): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await stateOf(server, id).catch((error: unknown) => {
      if (error instanceof Refusal && mayRepeat.has(error.code)) return undefined;
      throw error;
    });
    if (found) return found;
    if (signal.aborted) return { status: 'open', approval_id: id };
    await sleep(delayAfter(attempt), signal);
  }
}

async function stateOf(server: Server, id: string): Promise<Outcome | undefined> {
  const details = await readQuestion(server, id);
  const { state, chatId } = details.approval;
  if (state !== 'tool-changed' && state !== 'asked-again') return outcomeOf(details);
  const chat = await server.request('GET', `/chat/${encodeURIComponent(chatId)}`);
  const latest = chatSchema
    .safeParse(chat)
    .data?.questions.findLast(({ toolName }) => toolName === requestTool);
  return latest === undefined || latest.id === id ? outcomeOf(details) : stateOf(server, latest.id);
}

/** The questions of a request's chat, oldest first. */
const chatSchema = z.object({ questions: z.array(z.object({ id: z.string(), toolName: z.string() })) });
