import { headers } from 'next/headers';
import { countersign } from './countersign.ts';

/**
 * What the HTML of a page starts from: the response of the API to the person who opens the page.
 *
 * @param path of a GET request
 * @returns JSON, and `undefined` if it cannot be read: the page then requests it itself, and says what is wrong
 */
export async function readForPage(path: string): Promise<unknown> {
  const request = new Request(`http://localhost${path}`, { headers: await headers() });
  try {
    const response = await (await countersign()).api(request);
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

/** Who opens the page, as `GET /api/session` says it; `undefined` without a sign-in, or with one that is refused. */
export async function readUserForPage() {
  const request = new Request('http://localhost/', { headers: await headers() });
  try {
    const principal = await (await countersign()).authorize(request);
    return principal ? { id: principal.id, name: principal.name, role: principal.role } : undefined;
  } catch {
    return undefined;
  }
}
