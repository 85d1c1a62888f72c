import { isRecord } from '../../protocol/index.ts';
import { readLimited } from './read-limited.ts';

const limitMs = 10_000;
/** Enough for a page of 200 messages. */
const mostBytes = 8 * 1024 * 1024;

/** The methods of Slack's Web API that the channel calls. `conversations.history` and `auth.test` take no JSON. */
export type SlackMethod =
  | 'auth.test'
  | 'chat.postMessage'
  | 'chat.update'
  | 'chat.postEphemeral'
  | 'conversations.history'
  | 'views.open';

const takesForms: ReadonlySet<SlackMethod> = new Set<SlackMethod>(['auth.test', 'conversations.history']);

/** A call that Slack refused, or that did not reach it. The message has no content and no token. */
export class SlackError extends Error {
  override readonly name = 'SlackError';
  /** Slack's code, such as `channel_not_found`; `ratelimited` after status 429. */
  readonly code: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, code?: string, retryAfterMs?: number) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Calls a method. Rejects with `SlackError`, and with the reason of the signal. */
export type SlackApi = (
  method: SlackMethod,
  args: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
) => Promise<Readonly<Record<string, unknown>>>;

/**
 * Calls Slack's Web API over `fetch`. Follows no redirect, takes at most 10 s, and reads at most 8 MiB.
 *
 * @param settings.apiUrl without a trailing slash
 */
export function createSlackApi({
  token,
  apiUrl,
}: {
  readonly token: string;
  readonly apiUrl: string;
}): SlackApi {
  return async (method, args, signal) => {
    const limit = AbortSignal.timeout(limitMs);
    const response = await fetch(`${apiUrl}/${method}`, {
      method: 'POST',
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      ...request(method, args, token),
    }).catch((cause: unknown) => {
      signal?.throwIfAborted();
      const isLate = cause instanceof Error && cause.name === 'TimeoutError';
      throw new SlackError(isLate ? 'Slack took too long.' : 'Slack was not reached.');
    });
    const { status } = response;
    if (status === 429) {
      await response.body?.cancel();
      throw new SlackError('Slack limits the rate of requests.', 'ratelimited', retryAfterOf(response));
    }
    const body = status === 200 ? await readLimited(response, mostBytes).catch(() => undefined) : undefined;
    if (body === undefined) await response.body?.cancel().catch(() => {});
    const result = parsed(body);
    if (!result) throw new SlackError(`Slack answered ${status}.`);
    if (result.ok === true) return result;
    const code =
      typeof result.error === 'string' && /^\w{1,60}$/.test(result.error) ? result.error : undefined;
    throw new SlackError(
      `Slack refused ${method}: ${code ?? 'unknown error'}.${code === undefined ? '' : hintOf(code)}`,
      code,
      code === 'ratelimited' || code === 'rate_limited' ? retryAfterOf(response) : undefined,
    );
  };
}

/** What an operator can do, for the errors that are mistakes of the configuration. */
const hints: Readonly<Record<string, string>> = {
  channel_not_found: 'Invite the app to the channel, and check its id.',
  not_in_channel: 'Invite the app to the channel.',
  is_archived: 'The channel is archived.',
  missing_scope: 'Add the scopes that the guide lists, and install the app again.',
  token_revoked: 'Install the app again, and set its new token.',
  token_expired: 'Set a new token.',
  invalid_auth: 'Check the token.',
  account_inactive: 'Install the app again, and set its new token.',
};

function hintOf(code: string): string {
  const hint = Object.hasOwn(hints, code) ? hints[code] : undefined;
  return hint === undefined ? '' : ` ${hint}`;
}

function request(method: SlackMethod, args: Readonly<Record<string, unknown>>, token: string) {
  const authorization = `Bearer ${token}`;
  if (!takesForms.has(method)) {
    const headers = { authorization, 'content-type': 'application/json; charset=utf-8' };
    return { headers, body: JSON.stringify(args) };
  }
  const fields = Object.entries(args).map(([name, value]) => [name, String(value)]);
  return { headers: { authorization }, body: new URLSearchParams(fields) };
}

/** Slack sends seconds. Without them, it is tried again after a minute, the window of its limits. */
function retryAfterOf({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : 60_000;
}

function parsed(body: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body ?? '');
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
