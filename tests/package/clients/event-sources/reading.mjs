/** Reads a stream up to an event. @returns the client, and the events so far */
export async function readUntil(open, url, request, isEnough, onEvent = () => {}) {
  const events = [];
  const end = Promise.withResolvers();
  const source = await open(url, {
    ...request,
    onEvent({ type, data }) {
      // Without data it is the client's own event.
      if (typeof data !== 'string') return;
      const event = { type, data: JSON.parse(data) };
      events.push(event);
      onEvent(event);
      if (isEnough(event)) end.resolve();
    },
  });
  await end.promise;
  return { source, events };
}

/** Waits until a client reads no more by itself. */
export async function untilClosed(source) {
  while (!source.isClosed()) await new Promise((resolve) => setTimeout(resolve, 50));
}
