/**
 * A fault of one request.
 *
 * - `lose-request`: it never arrives, and the client gets a connection error
 * - `lose-response`: it arrives, but the connection breaks after a number of items of the response (default 0: none is
 *   read)
 * - `duplicate`: it arrives twice; the client gets the first response, and the second one is read to its end
 * - `delay`: it is sent when the promise settles
 * - `overtaken`: it is sent after the next request has its response
 */
export type LineFault =
  | { readonly type: 'lose-request' }
  | { readonly type: 'lose-response'; readonly after?: number }
  | { readonly type: 'duplicate' }
  | { readonly type: 'delay'; readonly until: Promise<unknown> | (() => Promise<unknown>) }
  | { readonly type: 'overtaken' };

/**
 * Selects the fault of each request: by number (from 0), or by a function. Without a fault the request passes
 * unchanged.
 */
export type LineFaults<Request> =
  | Readonly<Record<number, LineFault>>
  | ((request: Request, number: number) => LineFault | undefined);

/** Makes requests of one kind, and breaks their replies. */
export type Line<Reply> = {
  send(): Promise<Reply>;
  /** The reply, failing with this error after a number of items. */
  cut(reply: Reply, after: number, error: Error): Reply;
  /** Reads a reply to its end and discards it. */
  drain(reply: Reply): Promise<void>;
};

/**
 * Applies faults to requests. A broken connection throws a `TypeError`, as in a browser.
 *
 * Items of one response are never reordered or dropped: both transports are ordered and reliable until they break.
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
        // The client does not see a refusal of the duplicate.
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
  return new TypeError('The connection broke (on purpose).');
}
