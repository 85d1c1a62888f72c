/**
 * Reads from `/api/approvals/{id}`.
 *
 * @param path behind the id
 * @param body of a POST; default: GET
 * @throws Error with the server's words, or what the network throws
 * @source H9, H10
 */
export async function fetchApproval(id: string, path = '', body?: object): Promise<unknown> {
  const response = await fetch(`/api/approvals/${encodeURIComponent(id)}${path}`, {
    cache: 'no-store',
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text);
}
