import type { z } from 'zod';

/** Loads one page of a list; `undefined` when the server cannot be reached. */
export async function loadPage<Page>(
  path: string,
  schema: z.ZodType<Page>,
  cursor: string | undefined,
): Promise<Page | undefined> {
  const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
  try {
    const response = await fetch(`${path}${query}`, { cache: 'no-store' });
    return response.ok ? schema.safeParse(await response.json()).data : undefined;
  } catch {
    return undefined;
  }
}

/** Deletes an entry. @returns whether it is gone, even if it no longer existed */
export async function deleteEntry(path: string): Promise<boolean> {
  try {
    const response = await fetch(path, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
    });
    return response.ok || response.status === 404;
  } catch {
    return false;
  }
}
