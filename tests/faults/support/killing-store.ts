import type { FlowStore } from '../../../lib/vocabulary/index.ts';

/** A moment in the life of one chat: right before or right after its n-th append, counted from 1. */
export type KillPoint = {
  readonly when: 'before' | 'after';
  readonly append: number;
  readonly chatId: string;
};

/** As it travels to a child process, such as `before:3:chat-7`. */
export function formatKillPoint({ when, append, chatId }: KillPoint): string {
  return `${when}:${append}:${chatId}`;
}

/** @throws Error for anything but a formatted kill point */
export function parseKillPoint(text: string): KillPoint {
  const [, when, append, chatId] = /^(before|after):([1-9]\d*):([\w-]+)$/.exec(text) ?? [];
  if ((when !== 'before' && when !== 'after') || append === undefined || chatId === undefined) {
    throw new Error(`This is no kill point: ${text}. Write before:<append>:<chat> or after:<append>:<chat>.`);
  }
  return { when, append: Number(append), chatId };
}

/**
 * A store whose process dies at a kill point, without a chance to say or to write anything more.
 *
 * @param die must not return to the caller's future: by default SIGKILL for this process
 */
export function killingStore(
  store: FlowStore,
  point: KillPoint,
  die = () => process.kill(process.pid, 'SIGKILL'),
): FlowStore {
  let appends = 0;
  return {
    ...store,
    async append(batch) {
      if (batch.chatId !== point.chatId) return store.append(batch);
      appends += 1;
      const isNow = appends === point.append;
      if (isNow && point.when === 'before') die();
      const outcome = await store.append(batch);
      if (isNow && point.when === 'after') die();
      return outcome;
    },
  };
}
