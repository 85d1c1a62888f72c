import type { UIMessageChunk } from 'ai';
import { collect } from 'countersign/testing';

/** A client without chat state: sends requests as written, and returns chunks as they arrive. */
export type RawClient = {
  /** Makes a request for a response. @throws Refused if the server refuses before any stream starts */
  open(request: Readonly<Record<string, unknown>>): Promise<RawResponse>;
  /** Resumes a chat's current response; `null` if there is none. */
  resume(chatId: string): Promise<RawResponse | null>;
};

/** The chunks of one response. Strict about its frame. Leaving the loop early detaches this reader. */
export type RawResponse = AsyncGenerator<UIMessageChunk, void, void>;

/** Opens a {@link RawClient} as a given user. It is closed at the end of the test. */
export type ConnectRaw = (url: string, user?: string) => Promise<RawClient>;

/** A refusal, with its JSON error object. */
export class Refused extends Error {
  readonly code: string;
  /** What of edited arguments did not fit. */
  readonly fieldErrors: unknown;
  readonly error: Readonly<Record<string, unknown>>;

  constructor(body: string) {
    super(body);
    this.error = JSON.parse(body).error;
    this.code = String(this.error.code);
    this.fieldErrors = this.error.fieldErrors;
  }
}

/** A chat's requests in their slim form. Each returns the chunks of its whole response. */
export function rawChat(client: RawClient, id = 'chat') {
  let count = 0;
  const chunksOf = async (request: Readonly<Record<string, unknown>>) =>
    collect(await client.open({ id, trigger: 'submit-message', ...request }));
  const userMessage = (text: string) => ({
    id: `user-${++count}`,
    role: 'user',
    parts: [{ type: 'text', text }],
  });
  return {
    id,
    ask: chunksOf,
    userMessage,
    say: (text: string) => chunksOf({ message: userMessage(text) }),
    answer: (approvalId: string, approved: boolean, more: Readonly<Record<string, unknown>> = {}) =>
      chunksOf({ answers: [{ approvalId, approved, ...more }] }),
    output: (toolCallId: string, output: unknown) => chunksOf({ outputs: [{ toolCallId, output }] }),
    resume: async () => {
      const response = await client.resume(id);
      return response && collect(response);
    },
  };
}
