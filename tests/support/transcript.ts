import type { serveProtocol } from './serve-protocol.ts';

type Server = Awaited<ReturnType<typeof serveProtocol>>;

/** A stream that is being read. */
export type OpenStream = {
  /** Reads until a text has arrived. Resolves with all that has. */
  until(part: string): Promise<string>;
  /** Reads to the end. */
  rest(): Promise<string>;
  /** Breaks the connection. */
  cut(): void;
};

/**
 * Writes down requests and responses as they travel: lines of a request begin with an arrow to the right, the status of a response
 * with one to the left, and the bytes of its body follow. A stream that goes on after another request is marked.
 */
export function createTranscript() {
  const parts: string[] = [];
  const write = (text: string) => parts.push(text.endsWith('\n') ? text : `${text}\n`);

  async function send(
    server: Server,
    path: string,
    { body, headers = {} }: Sent,
    signal?: AbortSignal,
  ): Promise<Response> {
    const method = body === undefined ? 'GET' : 'POST';
    write(`→ ${method} ${path}`);
    for (const [name, value] of Object.entries(headers)) write(`→ ${name}: ${value}`);
    if (body !== undefined) write(`→ ${JSON.stringify(body)}`);
    const response = await (body === undefined
      ? server.get(path, headers, signal)
      : server.post(path, body, headers, signal));
    write(`← ${response.status} ${response.headers.get('content-type') ?? ''}`.trimEnd());
    return response;
  }

  return {
    write,
    /** A request and its whole response. */
    async ask(server: Server, path: string, sent: Sent = {}): Promise<string> {
      const text = await (await send(server, path, sent)).text();
      if (text !== '') write(text);
      return text;
    },
    /** A request whose response is read in parts. */
    async open(server: Server, path: string, sent: Sent = {}): Promise<OpenStream> {
      const connection = new AbortController();
      const response = await send(server, path, sent, connection.signal);
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let all = '';
      let isFirst = true;
      const read = async (isEnough: () => boolean) => {
        const from = all.length;
        let next: { readonly done: boolean; readonly value?: string } | undefined;
        while (!isEnough()) {
          next = await reader?.read().catch(() => undefined);
          if (!next || next.done) break;
          all += next.value ?? '';
        }
        if (all.length > from) write(`${isFirst ? '' : '← (goes on)\n'}${all.slice(from)}`);
        if (!next && !isEnough()) write(broken);
        isFirst = false;
        return all;
      };
      return {
        until: (part) => read(() => all.includes(part)),
        rest: () => read(() => false),
        cut() {
          connection.abort();
          write(broken);
        },
      };
    },
    /** All of it, with stable names for what is random. */
    text: (...names: readonly (readonly [value: string, name: string])[]) =>
      names.reduce((text, [value, name]) => text.replaceAll(value, name), parts.join('')),
  };
}

type Sent = { readonly body?: object; readonly headers?: Record<string, string> };

const broken = '← (the connection breaks)';

/** The first match of a pattern's group. @throws Error */
export function findIn(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`${pattern} is not in ${text}`);
  return found;
}

/** A text without the times that differ where a test lets time pass. */
export function withoutTimes(text: string): string {
  return text
    .replaceAll(/"timestamp":"[^"]+"/g, '"timestamp":"2026-01-05T09:00:00.000Z"')
    .replaceAll(/"durationMs":\d+/g, '"durationMs":120');
}
