import { inject } from 'vitest';
import { later } from '../../support/later.ts';

/** Other tests run while the app is built. Vitest loads this before each browser test, which thereby waits for it. */
const urls = (await later(inject('appUrls'))) as readonly string[];

/**
 * Where the built app answers, such as `http://127.0.0.1:41234`. Each worker has a server of its own, so that files which
 * run at the same time share no chats, payments or questions.
 */
export function appUrlOfWorker(): string {
  const url = urls[Number(process.env.VITEST_POOL_ID) - 1];
  if (url === undefined) throw new Error(`No server was started for worker ${process.env.VITEST_POOL_ID}.`);
  return url;
}
