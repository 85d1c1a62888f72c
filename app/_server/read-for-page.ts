import { headers } from 'next/headers';
import { countersign } from './countersign.ts';

/** How long a page waits for what it starts from, in milliseconds. After that it is sent without, and requests it itself. */
const patienceMs = 1_000;

/**
 * What the HTML of a page starts from: the response of the API to the person who opens the page.
 *
 * @param path of a GET request
 * @returns JSON, and `undefined` if it cannot be read in time: the page then requests it itself, and says what is wrong
 */
export async function readForPage(path: string): Promise<unknown> {
  const given = await headers();
  // Scripts go from one page to another without HTML, and request themselves what the page shows.
  if (given.get('sec-fetch-dest') === 'empty') return undefined;
  const request = new Request(`http://localhost${path}`, { headers: given });
  return inTime(async () => {
    const response = await (await countersign()).api(request);
    return response.ok ? await response.json() : undefined;
  });
}

/** Who opens the page, as `GET /api/session` says it; `undefined` without a sign-in, with one that is refused, or not in time. */
export async function readUserForPage() {
  const request = new Request('http://localhost/', { headers: await headers() });
  return inTime(async () => {
    const principal = await (await countersign()).authorize(request);
    return principal ? { id: principal.id, name: principal.name, role: principal.role } : undefined;
  });
}

async function inTime<Read>(read: () => Promise<Read>): Promise<Read | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, patienceMs, undefined);
  });
  try {
    return await Promise.race([read(), late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
