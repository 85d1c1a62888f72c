import { anyOf, flag, number, object, oneOf, optional, text } from '../../http/read-wire.ts';
import { silenceMs } from './feed-connection.ts';
import { isHidden } from './feed-delay.ts';
import { type HeldLock, requestLock } from './web-lock.ts';

/** The leader's connection, and the last position that it has read. */
export type LeaderState = {
  readonly type: 'state';
  readonly connection: 'connecting' | 'live' | 'lost';
  readonly isReached?: boolean | undefined;
  readonly retryAt?: number | undefined;
  readonly aheadMs?: number | undefined;
  readonly lastId?: string | undefined;
};

/** A message of the feed, unparsed: tabs may run different versions of the page. */
export type FeedMessage = {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly data: string;
};

/** What tabs send each other. `ask`: a tab asks for the state. `over`: the leader is no longer this reader. */
type TabMessage = LeaderState | SentMessage | Signal<'ask'> | Signal<'over'>;

type Signal<Type> = { readonly type: Type };

type SentMessage = FeedMessage & { readonly type: 'message' };

const readTabMessage = anyOf<TabMessage>(
  object<LeaderState>({
    type: oneOf('state'),
    connection: oneOf('connecting', 'live', 'lost'),
    isReached: optional(flag),
    retryAt: optional(number),
    aheadMs: optional(number),
    lastId: optional(text),
  }),
  object<SentMessage>({ type: oneOf('message'), id: optional(text), event: optional(text), data: text }),
  object<Signal<'ask'>>({ type: oneOf('ask') }),
  object<Signal<'over'>>({ type: oneOf('over') }),
);

/** A leader that does not reply within this time is suspended. Milliseconds. */
const replyMs = 2_000;

/** The tabs of one reader. */
type Group = { readonly name: string; readonly channel: BroadcastChannel; lock?: HeldLock | undefined };

/** Callbacks of a tab that may lead. */
export type LeadingTab = {
  readonly signal: AbortSignal;
  /** Another tab asks for the state, because a person looks at it. */
  readonly onAsk: () => void;
  /** Another tab has taken over. */
  readonly onDeposed: () => void;
};

/** Callbacks of a tab that follows. */
export type FollowingTab = {
  readonly onState: (state: LeaderState, ask: () => void) => void;
  readonly onMessage: (message: FeedMessage) => void;
};

/**
 * Lets the tabs of one reader share one connection. Browsers open at most six connections to an HTTP/1.1 server, so a
 * connection in each tab would block the seventh, and all requests of the others. The leader holds a Web Lock. The others
 * follow over a `BroadcastChannel`. Lock and channel are named by the address of the feed and by the reader that the server
 * names, because two tabs may be signed in differently; the browser separates origins.
 *
 * A browser may suspend a hidden tab without releasing its lock. A visible tab whose leader does not reply takes over.
 *
 * @source ADR 0054
 */
export function createFeedTabs(url: string, { signal, onAsk, onDeposed }: LeadingTab) {
  let group: Group | undefined;

  function leave(): void {
    group?.lock?.release();
    group?.channel.close();
    group = undefined;
  }
  signal.addEventListener('abort', leave);

  /** Also keeps the lock's end in view. */
  function setLock(own: Group, lock: HeldLock | undefined): boolean {
    if (own !== group) lock?.release();
    if (own !== group || !lock) return false;
    own.lock = lock;
    own.channel.onmessage = ({ data }) => readTabMessage(data)?.type === 'ask' && onAsk();
    void lock.lost.then(() => {
      if (own !== group || own.lock !== lock) return;
      own.lock = undefined;
      onDeposed();
    });
    return true;
  }

  const tell = (message: TabMessage) => group?.lock && group.channel.postMessage(message);

  return {
    tell,

    /** Whether this tab has its own connection, whatever the other tabs do. */
    isAlone: () => group === undefined,

    /** The sign-in of this tab has ended, so that the others find out about theirs. */
    dissolve(): void {
      tell({ type: 'over' });
      leave();
    },

    /**
     * Whether this tab may go on with the connection on which the server named its reader. If not, another tab leads.
     *
     * @param reader absent: this tab is alone
     */
    async lead(reader: string | undefined): Promise<boolean> {
      const name = reader === undefined || !canShare() ? undefined : nameOf(url, reader);
      if (group?.name !== name) {
        tell({ type: 'over' });
        leave();
        if (name !== undefined) group = { name, channel: new BroadcastChannel(name) };
      }
      if (!group || group.lock) return true;
      const own = group;
      try {
        return setLock(own, await requestLock(own.name, { ifAvailable: true }));
      } catch {
        // The page may not use locks, for example in a sandboxed frame.
        if (own === group) leave();
        return true;
      }
    },

    /** Follows the leader until this tab has to connect: as the next leader, or because the leader's sign-in has ended. */
    follow(tab: FollowingTab): Promise<void> {
      const own = group;
      if (!own) return Promise.resolve();
      return followLeader(own, tab, { signal, leave, setLock: (lock) => setLock(own, lock) });
    },
  };
}

/** Whether this browser can share a feed among its tabs: locks need HTTPS or a loopback address. */
export function canShare(): boolean {
  return globalThis.navigator?.locks !== undefined && typeof BroadcastChannel !== 'undefined';
}

function nameOf(url: string, reader: string): string {
  return `countersign-feed/1 ${new URL(url, globalThis.location?.href).href} ${reader}`;
}

function ignore(): void {}

type Following = {
  readonly signal: AbortSignal;
  readonly leave: () => void;
  readonly setLock: (lock: HeldLock | undefined) => boolean;
};

function followLeader(
  { name, channel }: Group,
  { onState, onMessage }: FollowingTab,
  { signal, leave, setLock }: Following,
): Promise<void> {
  const queued = new AbortController();
  let timer: ReturnType<typeof setTimeout>;
  let isAsking = false;
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      queued.abort();
      resolve();
    };
    const wait = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(onSilence, ms);
    };
    const ask = () => {
      isAsking = true;
      channel.postMessage({ type: 'ask' } satisfies TabMessage);
      wait(replyMs);
    };
    const onSilence = () => {
      if (!isAsking) return ask();
      if (isHidden() || queued.signal.aborted) return;
      queued.abort();
      void requestLock(name, { steal: true })
        .then((lock) => setLock(lock), ignore)
        .then(end);
    };
    channel.onmessage = ({ data }) => {
      const said = readTabMessage(data);
      if (!said || said.type === 'ask') return;
      isAsking = false;
      if (said.type === 'over') {
        onState({ type: 'state', connection: 'lost', isReached: true }, ignore);
        leave();
        return end();
      }
      // The timers of a hidden leader are late.
      const lateMs = said.type === 'state' && said.retryAt && Math.max(0, said.retryAt - Date.now()) + 1_000;
      wait(lateMs || silenceMs);
      if (said.type === 'state') onState(said, ask);
      else onMessage(said);
    };
    const until = { signal: queued.signal };
    signal.addEventListener('abort', end, until);
    globalThis.document?.addEventListener('visibilitychange', () => isHidden() || ask(), until);
    void requestLock(name, until).then((lock) => {
      if (queued.signal.aborted) return lock?.release();
      setLock(lock);
      end();
    }, end);
    ask();
  });
}
