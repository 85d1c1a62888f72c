/**
 * Reads from `/api/approvals/{id}`.
 *
 * @param path after the id
 * @param body of a POST; default: GET
 * @throws Error with the server's message, or a network error
 * @source H9, H10
 */
export async function fetchApproval(id: string, path = '', body?: object): Promise<unknown> {
  const response = await fetch(`/api/approvals/${encodeURIComponent(id)}${path}`, {
    cache: 'no-store',
    method: body && 'POST',
    headers: body && { 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text);
}
