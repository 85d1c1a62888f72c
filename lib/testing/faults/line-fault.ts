/**
 * What happens to one request on its way.
 *
 * - `lose-request`: it never arrives, and the client is told that the line broke
 * - `lose-response`: it arrives, but the line breaks after so many pieces of the response (default 0: none is read)
 * - `duplicate`: it arrives twice; the client gets the first response, and the second one is read to its end
 * - `delay`: it leaves when the promise settles
 * - `overtaken`: it leaves when the next request has its response
 */
export type LineFault =
  | { readonly type: 'lose-request' }
  | { readonly type: 'lose-response'; readonly after?: number }
  | { readonly type: 'duplicate' }
  | { readonly type: 'delay'; readonly until: Promise<unknown> | (() => Promise<unknown>) }
  | { readonly type: 'overtaken' };

/** Which requests have which fault: by their number (from 0), or by what they are. None: it goes through. */
export type LineFaults<Request> =
  | Readonly<Record<number, LineFault>>
  | ((request: Request, number: number) => LineFault | undefined);

/** How requests of one kind are made, and their replies are broken. */
export type Line<Reply> = {
  send(): Promise<Reply>;
  /** The reply, breaking with this error after so many pieces. */
  cut(reply: Reply, after: number, error: Error): Reply;
  /** Reads a reply that nobody waits for. */
  drain(reply: Reply): Promise<void>;
};

/**
 * Takes requests through their faults. What a browser says of a broken line is said here too: a `TypeError`.
 *
 * Pieces of one response neither change places nor get lost within it: both transports are ordered and whole, until
 * they break.
 */
export function faultyLine<Request>(faults: LineFaults<Request>) {
  let count = 0;
  let waiting: PromiseWithResolvers<void>[] = [];

  return async function through<Reply>(request: Request, line: Line<Reply>): Promise<Reply> {
    const number = count++;
    const fault = typeof faults === 'function' ? faults(request, number) : faults[number];
    const overtaken = waiting;
    waiting = [];
    try {
      return await suffer(fault, line);
    } finally {
      for (const { resolve } of overtaken) resolve();
    }
  };

  async function suffer<Reply>(fault: LineFault | undefined, line: Line<Reply>): Promise<Reply> {
    switch (fault?.type) {
      case undefined:
        return line.send();
      case 'lose-request':
        throw broken();
      case 'lose-response':
        return line.cut(await line.send(), fault.after ?? 0, broken());
      case 'duplicate': {
        const [first, second] = [line.send(), line.send()];
        // A copy that is refused is nothing to its client.
        second.then((reply) => line.drain(reply)).catch(() => {});
        return first;
      }
      case 'delay':
        await (typeof fault.until === 'function' ? fault.until() : fault.until);
        return line.send();
      case 'overtaken': {
        const next = Promise.withResolvers<void>();
        waiting.push(next);
        await next.promise;
        return line.send();
      }
      default:
        return fault satisfies never;
    }
  }
}

function broken(): TypeError {
  return new TypeError('The line broke (on purpose).');
}
