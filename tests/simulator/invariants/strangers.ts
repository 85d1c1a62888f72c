import { stranger } from '../actors/people.ts';
import { type Invariant, tally } from './invariant.ts';

/** Endpoints of plugins. */
const ofPlugins = [
  ['/api/delegations', 'delegation'],
  ['/api/remembered', 'remembered'],
] as const;

/**
 * A user who owns nothing learns nothing, and cannot distinguish another person's chat from a missing one. The same
 * holds after signing out.
 */
export const strangers: Invariant = {
  name: 'no stranger sees anything',
  check(history) {
    const { verify, result } = tally();
    const lacks = (name: string, plugin: string) => history.lists.get(name)?.has(plugin) === false;
    const secrets = [...history.owners.keys()].filter((chatId) => chatId !== '~flow');
    for (const {
      who,
      does,
      chatId,
      json,
      status,
      path,
      moment,
      instance,
      answeredAt = 0,
    } of history.exchanges) {
      if (status === 0) continue;
      if (who === stranger) {
        // A response may repeat the ids of its request.
        const received = JSON.stringify(json ?? null).replaceAll(path.split('/').at(-1) ?? '', '…');
        const isOwn = history.owners.get(chatId ?? '') === stranger;
        const leaked = secrets.find((id) => id !== chatId && received.includes(id));
        const twin = history.exchanges.find(
          (each) =>
            each.who === who &&
            each.does === does &&
            each.chatId === 'no-such-chat' &&
            each.path === path.replace(chatId ?? '', 'no-such-chat'),
        );
        verify(
          !isOwn && leaked !== undefined && `${stranger} received ${leaked}: ${received}`,
          !isOwn && /call-\d|"n":/.test(received) && `${stranger} received a call: ${received}`,
          does === 'forge' &&
            path.includes('/outcomes/') &&
            ![401, 404, 500].includes(status ?? 0) &&
            `${stranger} got ${status} for ${path}`,
          does === 'forge' && status === 200 && `${stranger} forged an answer in ${chatId}`,
          does === 'spy' &&
            twin?.status !== undefined &&
            twin.status !== 0 &&
            status !== 500 &&
            twin.status !== 500 &&
            status !== twin.status &&
            `${stranger} got ${status} for ${path}, but ${twin.status} for a missing chat`,
        );
      }
      const away = history.signedOut.find(
        (each) => each.who === who && each.moment < moment && (each.back ?? Infinity) > answeredAt,
      );
      // Where a plugin is missing, so are its endpoints, for everyone.
      const isServed = !ofPlugins.some(
        ([prefix, plugin]) => path.startsWith(prefix) && lacks(instance, plugin),
      );
      if (away && isServed) verify(status !== 401 && `${who} got ${status} for ${does} after signing out`);
    }
    for (const { who, states } of history.feeds) {
      if (who === stranger)
        verify(states.size > 0 && `the feed of ${stranger} contained ${[...states.keys()].join(', ')}`);
    }
    for (const { who, chatId } of history.readings) {
      if (who === stranger) verify(history.owners.get(chatId) !== stranger && `${stranger} read ${chatId}`);
    }
    return result();
  },
};
