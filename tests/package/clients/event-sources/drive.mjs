import { packages, report } from '../report.mjs';

/** Which dialect is read: a file of this folder. */
const { tasksOf } = await import(`./${packages.at(-1)}.mjs`);

/**
 * Reads streams with a client, all at the same time, since some clients wait for seconds before they connect again.
 *
 * @param open reads a stream until it is closed: `open(url, { method, headers, body, onEvent })` with
 * `onEvent({ type, data })` returns `{ close(), isClosed() }`
 */
export async function drive(open) {
  const begun = Object.entries(tasksOf(open)).map(([name, task]) => [name, task()]);
  for (const [, result] of begun) result.catch(() => {});
  await report(Object.fromEntries(begun.map(([name, result]) => [name, () => result])));
}
