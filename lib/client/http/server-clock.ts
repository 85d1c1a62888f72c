/**
 * How far a server's clock is ahead of this machine's, in milliseconds, from the `Date` of a response. That
 * header has whole seconds only, so a difference within its precision counts as zero. `undefined` if the
 * header is missing, or not exposed to other origins.
 *
 * @param trip when the request was sent and its response received: epoch milliseconds of this machine
 */
export function serverAheadMs(
  response: Response,
  { sentAt, receivedAt }: { readonly sentAt: number; readonly receivedAt: number },
): number | undefined {
  const date = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(date)) return undefined;
  const earliest = date - receivedAt;
  const latest = date + 1_000 - sentAt;
  if (earliest <= 0 && latest >= 0) return 0;
  return Math.round((earliest + latest) / 2);
}
