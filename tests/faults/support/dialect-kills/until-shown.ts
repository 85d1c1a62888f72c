/** A client that calls back after each change. */
type Observable = { subscribe(listener: () => void): () => void };

/** Resolves when a client is in a state. */
export function untilShown(client: Observable, isShown: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isShown()) return;
      stop();
      resolve();
    };
    const stop = client.subscribe(look);
    look();
  });
}
