/** One address for a server that is replaced: requests wait while there is none. */
export type MovingServer = {
  /** The address that clients know. */
  readonly url: string;
  /** Sends to the server that is there now, or else to the next one. */
  readonly fetch: typeof fetch;
  /** The address of the server that is there now, or of the next one. */
  current(): Promise<string>;
  moveTo(url: string): void;
  /** From now on requests wait. */
  leave(): void;
};

export function createMovingServer(): MovingServer {
  const url = 'http://moving.test';
  let address = Promise.withResolvers<string>();
  return {
    url,
    fetch: async (input, init) => fetch(String(input).replace(url, await address.promise), init),
    current: () => address.promise,
    moveTo: (next) => address.resolve(next),
    leave() {
      address = Promise.withResolvers();
    },
  };
}
