import type { UIMessageChunk } from 'ai';
import { collect } from 'countersign/testing';

/** A client that knows the wire and nothing else: requests as they are written, chunks as they arrive. */
export type RawClient = {
  /** Makes a request for a response. @throws Refused when the server says no before any stream begins */
  open(request: Readonly<Record<string, unknown>>): Promise<RawResponse>;
  /** Asks for what is going on in a chat; `null` when it is nothing. */
  resume(chatId: string): Promise<RawResponse | null>;
};

/** The chunks of one response. Strict about its frame; leaving the loop early detaches this reader. */
export type RawResponse = AsyncGenerator<UIMessageChunk, void, void>;

/** What opens a {@link RawClient}, as a given user. It is closed when the test has finished. */
export type ConnectRaw = (url: string, user?: string) => Promise<RawClient>;

/** A refusal, with the JSON error object that came with it. */
export class Refused extends Error {
  readonly code: string;
  readonly error: Readonly<Record<string, unknown>>;

  constructor(body: string) {
    super(body);
    this.error = JSON.parse(body).error;
    this.code = String(this.error.code);
  }
}

/** A chat's requests in their slim form, each giving the chunks of its whole response. */
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
