/** A place where a scripted model or a tool stands until it is let go on. */
export function barrier() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: promise, lift: () => resolve() };
}
