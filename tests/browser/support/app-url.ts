import { inject } from 'vitest';

/**
 * Where the built app answers, such as `http://127.0.0.1:41234`. Each worker has a server of its own, so that files which
 * run at the same time share no chats, payments or questions.
 */
export function appUrlOfWorker(): string {
  const url = inject('appUrls')[Number(process.env.VITEST_POOL_ID) - 1];
  if (url === undefined) throw new Error(`No server was started for worker ${process.env.VITEST_POOL_ID}.`);
  return url;
}
