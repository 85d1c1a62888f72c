/** A point where a scripted model or a tool waits until the test releases it. */
export function barrier() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: promise, lift: () => resolve() };
}
