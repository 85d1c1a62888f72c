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
  // Also after the reply has begun: the response is read until the signal aborts.
  const abort = () => limit.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new TypeError('The network brought no reply within a minute.');
      reject(error);
      limit.abort(error);
    }, longestMs);
  });
  try {
    return await Promise.race([send(limit.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
