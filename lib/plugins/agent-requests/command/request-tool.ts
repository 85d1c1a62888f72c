import { z } from 'zod';
import { Refusal } from '../../../cli/approvals/exit-code.ts';
import type { Details } from '../../../cli/approvals/question.ts';
import { agentRequestSchema } from '../agent-request.ts';
import type { Outcome } from './outcome.ts';
import type { Asked, Requests } from './requests.ts';

const { title, ...shape } = agentRequestSchema.shape;

/** The arguments of the MCP tool `request_approval`. @source ADR 0044.7 */
export const requestInput = {
  title: title.optional(),
  ...shape,
  timeout_seconds: z
    .int()
    .min(1)
    .max(31_622_400)
    .optional()
    .describe('The request expires, and is not approved, after this time.'),
  request_id: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/)
    .optional()
    .describe('Your own id for this request: visible ASCII. The same id asks once, even after a restart.'),
  approval_id: z
    .string()
    .max(256)
    .optional()
    .describe('Wait on for a request that was made before, in place of a new one.'),
  wait_seconds: z
    .int()
    .min(0)
    .max(86_400)
    .optional()
    .describe('How long to wait for the answer before this call returns `open`.'),
};

/** The parsed arguments. */
export type RequestInput = z.infer<z.ZodObject<typeof requestInput>>;

/** What a call of an MCP client needs. */
export type Caller = {
  /** Aborted when the client cancels the call, or is gone. */
  readonly signal: AbortSignal;
  /** True if the client is gone: its requests stay open. */
  readonly isGone: () => boolean;
  /** Present if the client asked for progress. */
  readonly progress?: (message: string) => Promise<void>;
};

/** Most clients end a call after 60 s, unless they get progress. That would cancel the request. */
const defaultWaitMs = 50_000;
const progressMs = 10_000;

/**
 * Makes a request, or finds an earlier one, and waits for its outcome. If the client cancels the call, the request is
 * withdrawn.
 *
 * @throws Refusal
 * @source ADR 0044.7
 */
export async function requestAndWait(
  requests: Requests,
  input: RequestInput,
  { signal, isGone, progress }: Caller,
): Promise<Outcome> {
  const asked = askedFrom(input);
  const details = asked ? await requests.ask(asked) : await requests.find(input.approval_id ?? '');
  const { id } = details.approval;
  const { wait_seconds: seconds } = input;
  const waitMs = seconds === undefined ? (progress ? undefined : defaultWaitMs) : seconds * 1_000;
  const signals = [signal, ...(waitMs === undefined ? [] : [AbortSignal.timeout(waitMs)])];
  const endProgress = reportProgress(id, progress);
  try {
    const found = await requests.outcome(id, AbortSignal.any(signals));
    if (found.status !== 'open') {
      if (asked) requests.forget(asked);
      return found;
    }
    if (!signal.aborted || isGone()) return found;
    await withdraw(requests, details, asked);
    return { status: 'withdrawn', approval_id: id };
  } finally {
    endProgress();
  }
}

async function withdraw(requests: Requests, details: Details, asked: Asked | undefined): Promise<void> {
  if (asked) requests.forget(asked);
  await requests.withdraw(details);
}

function askedFrom(input: RequestInput): Asked | undefined {
  const { approval_id: id, request_id: key, timeout_seconds: timeout, wait_seconds: _wait, ...rest } = input;
  const { title: sentence, ...more } = rest;
  if (id !== undefined) return undefined;
  if (sentence === undefined) {
    throw new Refusal({ code: 'invalid-request', message: 'Give a title, or the approval_id of a request.' });
  }
  return {
    title: sentence,
    ...more,
    key,
    deadlineMs: timeout && timeout * 1_000,
  };
}

/** Clients that ask for progress keep waiting while they get it. @returns ends the reports */
function reportProgress(id: string, progress: Caller['progress']): () => void {
  if (!progress) return () => {};
  const report = () => void progress(`Waiting for a person to answer ${id}.`).catch(() => {});
  report();
  const timer = setInterval(report, progressMs);
  return () => clearInterval(timer);
}
