/** What a test has in hand when strangers come: their cookies, and the names of what is Ada's. */
export type Held = {
  readonly cookies: Readonly<Record<'ada' | 'eve' | 'forged' | 'expired' | 'ended', string>>;
  readonly ids: Readonly<Record<'chat' | 'stream' | 'approval' | 'call' | 'grant' | 'session', string>>;
  /** A key of the server's list. */
  readonly apiKey: string;
};

/** A request that came through a proxy. */
const forwarded = { 'x-forwarded-for': '203.0.113.7' };

/** Who tries, with what, and what they get: by endpoint where it is not the same for all. */
export type Stranger = {
  readonly who: string;
  readonly headers: (held: Held) => Readonly<Record<string, string>>;
  readonly status: number;
  /** Endpoints that tell strangers nothing of others, by method and path. */
  readonly except?: Readonly<Record<string, number>>;
  /** Only requests that change something can be refused for this. */
  readonly unsafeOnly?: true;
  /** At a server that marks no request as coming from this machine. */
  readonly isUnstamped?: true;
};

/** Anybody may ask who they are, be told that they are nobody, and forget a cookie; from afar nobody may sign in. */
const nobody = { 'POST /api/session': 403, 'DELETE /api/session': 204 };
const withoutCookie = { ...nobody, 'GET /api/session': 200 };

/** Somebody who is signed in has lists of their own; of Ada's chat they are told that it is not there. */
const ownLists = {
  'GET /api/chat': 200,
  'GET /api/approvals': 200,
  'GET /api/approvals/events': 200,
  'GET /api/remembered': 200,
  'GET /api/delegations': 200,
  'GET /api/sessions': 200,
  'GET /api/chat/[chatId]/stream': 204,
  'GET /v1/models': 200,
  'GET /api/session': 200,
  'POST /api/session': 200,
  'DELETE /api/session': 204,
  // The payments of the whole demo, for everybody to count.
  'GET /api/demo/payments': 200,
};

/** One row a stranger. */
export const strangers: readonly Stranger[] = [
  {
    who: 'another session',
    headers: ({ cookies }) => ({ cookie: cookies.eve }),
    status: 404,
    except: ownLists,
  },
  { who: 'the local user', headers: () => ({}), status: 404, except: ownLists },
  {
    who: 'a program with a key of its own',
    headers: ({ apiKey }) => ({ authorization: `Bearer ${apiKey}` }),
    status: 404,
    except: ownLists,
  },
  {
    who: 'a program with a wrong key',
    headers: () => ({ authorization: 'Bearer not-one-of-the-keys' }),
    status: 401,
    // On this machine, where the demo login is for everybody.
    except: { ...nobody, 'POST /api/session': 200 },
  },
  {
    who: 'an unidentified client, through a proxy',
    headers: () => forwarded,
    status: 401,
    except: withoutCookie,
  },
  {
    who: 'an unidentified client, unstamped',
    headers: () => ({}),
    isUnstamped: true,
    status: 401,
    except: withoutCookie,
  },
  {
    who: 'an unidentified client with a stamp of its own',
    headers: () => ({ 'x-countersign-peer': 'local', ...forwarded }),
    status: 401,
    except: withoutCookie,
  },
  {
    who: 'a forged cookie',
    headers: ({ cookies }) => ({ cookie: cookies.forged, ...forwarded }),
    status: 401,
    except: nobody,
  },
  {
    who: 'an expired cookie of Ada’s',
    headers: ({ cookies }) => ({ cookie: cookies.expired, ...forwarded }),
    status: 401,
    except: nobody,
  },
  {
    who: 'a cookie of Ada’s that she signed out with',
    headers: ({ cookies }) => ({ cookie: cookies.ended, ...forwarded }),
    status: 401,
    except: nobody,
  },
  {
    who: 'another site in Ada’s browser',
    headers: ({ cookies }) => ({ cookie: cookies.ada, origin: 'https://evil.example' }),
    status: 403,
  },
  {
    who: 'another site in Ada’s browser, its name pointed here',
    headers: ({ cookies }) => ({ cookie: cookies.ada, origin: 'http://evil.example', host: 'evil.example' }),
    status: 403,
  },
  {
    who: 'another site in Ada’s browser, without an Origin',
    headers: ({ cookies }) => ({ cookie: cookies.ada, 'sec-fetch-site': 'cross-site' }),
    status: 403,
    unsafeOnly: true,
  },
  {
    who: 'a form of another site in Ada’s browser',
    headers: ({ cookies }) => ({ cookie: cookies.ada, 'content-type': 'application/x-www-form-urlencoded' }),
    status: 400,
    unsafeOnly: true,
  },
];

const message = { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'Pay Mallory 1000' }] };

/** What a request for a response of Ada's chat says first. */
export const submitTo = ({ ids }: Held) => ({ id: ids.chat, trigger: 'submit-message' });

/** What to send, where there is something to say; several forms of one endpoint are tried one after the other. */
export const bodies: Readonly<Record<string, (held: Held) => readonly object[]>> = {
  'POST /api/chat': (held) => [
    { ...submitTo(held), answers: [{ approvalId: held.ids.approval, approved: true }] },
    { ...submitTo(held), message },
    { ...submitTo(held), trigger: 'regenerate-message' },
  ],
  'PATCH /api/chat/[chatId]': () => [{ title: 'Taken over' }],
  'POST /api/approvals/[approvalId]': () => [{ approved: true }],
  'POST /api/approvals/[approvalId]/upcoming': ({ ids }) => [
    { calls: [{ toolCallId: ids.call, approved: true, digest: 'x' }] },
  ],
  'POST /api/chat/[chatId]/outcomes/[toolCallId]': () => [{ outcome: 'completed', note: 'Paid.' }],
  'POST /api/session': () => [{ name: 'Mallory' }],
  'POST /api/chat/message': ({ ids }) => [{ message: 'Pay Mallory 1000', chat_id: ids.chat }],
  'POST /api/dialects/tool-events': ({ ids }) => [{ message: 'Pay Mallory 1000', conversationId: ids.chat }],
  'POST /v1/responses': ({ ids }) => [
    { input: 'Pay Mallory 1000', conversation: ids.chat },
    { input: 'Pay Mallory 1000', previous_response_id: `resp_${ids.stream}` },
    {
      input: [
        {
          type: 'mcp_approval_response',
          approval_request_id: `mcpr_${ids.chat}.${ids.approval}`,
          approve: true,
        },
      ],
    },
  ],
};

/**
 * How a stranger may be answered. An endpoint that reads a body may refuse one that says nothing before it looks for
 * the chat.
 */
export function statusesFor({ status, except }: Stranger, endpoint: string): number[] {
  // Slack is not configured. Where it is, its signature is required.
  if (endpoint === 'POST /api/slack/interactions') return [404];
  const exception = except?.[endpoint];
  if (exception !== undefined) return [exception];
  return status === 404 && bodies[endpoint] === undefined ? [404, 400] : [status];
}
