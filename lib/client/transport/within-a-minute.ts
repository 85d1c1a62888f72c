/** As long as an answer may wait for a lost connection, in milliseconds. @source ADR 0038 */
const longestMs = 60_000;

/**
 * Sends an answer, and gives up if there is no reply within a minute: a request into a network that drops packets would
 * otherwise arrive whenever the network returns.
 *
 * @param send its request ends with the signal
 * @param signal ends the request earlier
 * @throws TypeError as `fetch` does for a broken network
 */
export async function withinAMinute<Reply>(
  send: (signal: AbortSignal) => Promise<Reply>,
  signal?: AbortSignal,
): Promise<Reply> {
  const limit = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new TypeError('The network brought no reply within a minute.');
    reject(error);
    limit.abort(error);
  }, longestMs);
  try {
    return await Promise.race([send(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
