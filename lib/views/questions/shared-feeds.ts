import type { Notifications } from '../../log/follow/notifications.ts';
import type { FlowStore } from '../../log/store/index.ts';
import type { Principal, Question } from '../../protocol/index.ts';
import type { QuestionView } from '../../rights/question-rights.ts';
import { runtime } from '../../runtime/runtime.ts';

export type SharedFeeds = {
  readonly questions: Pick<FlowStore['questions'], 'changes' | 'list'>;
  /** Calls back when a question may have changed, and when the flow closes; not after any other append. */
  readonly notifications: Pick<Notifications, 'listen' | 'closed'>;
  readonly seenBy: (principal: Principal) => (question: Question) => Promise<QuestionView | undefined>;
};

type Visible = (principal: Principal, question: Question) => Promise<QuestionView | undefined>;

/**
 * The shared work of one instance's feeds, done once for all of them: after an append, one query for changed
 * questions, one read of the changes and, for each principal, one evaluation of what it may see. If each feed
 * did all of it, many feeds of one user would delay the turns of all others.
 */
export function createSharedFeeds(
  store: FlowStore,
  notifications: Notifications,
  visible: Visible,
): SharedFeeds {
  const pages = new Map<string, Promise<unknown>>();

  /** The same page, asked for again before a question changes or the event loop turns, is read once. */
  function readOnce<Page>(query: string, read: () => Promise<Page>): Promise<Page> {
    const known = pages.get(query) as Promise<Page> | undefined;
    if (known) return known;
    const page = read();
    pages.set(query, page);
    void runtime.turnOfEventLoop().then(() => pages.get(query) === page && pages.delete(query));
    return page;
  }

  return {
    questions: {
      // Copies, because each feed consumes its own page. The question objects are the same, so views can be
      // shared.
      async changes(after, limit) {
        return [...(await readOnce(`${after} ${limit}`, () => store.questions.changes(after, limit)))];
      },
      async list(query) {
        const page = await readOnce(JSON.stringify(query), () => store.questions.list(query));
        return { ...page, items: [...page.items] };
      },
    },
    notifications: createQuestionNotifications(store, notifications, () => pages.clear()),
    seenBy: shareViews(visible),
  };
}

/** @param onChange called before listeners are notified */
function createQuestionNotifications(
  store: Pick<FlowStore, 'questions'>,
  notifications: Notifications,
  onChange: () => void,
): SharedFeeds['notifications'] {
  const listeners = new Set<() => void>();
  let last: number | undefined;
  let looking = false;
  let again = false;
  let endListening = () => {};

  async function look(): Promise<void> {
    again = true;
    if (looking) return;
    looking = true;
    while (again) {
      again = false;
      // If the store fails, each feed gets its own error.
      const newest = await store.questions.lastChange().catch(() => undefined);
      if (newest === undefined || newest !== last) wakeAll();
      last = newest;
    }
    looking = false;
  }

  function wakeAll(): void {
    onChange();
    for (const wake of [...listeners]) wake();
  }

  return {
    listen(_everyChat, listener) {
      const wake = () => listener();
      if (listeners.size === 0)
        endListening = notifications.listen(undefined, () =>
          notifications.closed ? wakeAll() : void look(),
        );
      listeners.add(wake);
      return () => {
        listeners.delete(wake);
        if (listeners.size === 0) endListening();
      };
    },
    get closed() {
      return notifications.closed;
    },
  };
}

/** The views of a question that was read once. Principals with equal fields share a view. */
function shareViews(visible: Visible): SharedFeeds['seenBy'] {
  const views = new WeakMap<Question, Map<string, ReturnType<Visible>>>();
  return (principal) => {
    const key = keyOf(principal);
    if (key === undefined) return (question) => visible(principal, question);
    return (question) => {
      const known = views.get(question) ?? new Map<string, ReturnType<Visible>>();
      views.set(question, known);
      const view = known.get(key) ?? visible(principal, question);
      known.set(key, view);
      return view;
    };
  };
}

/** `undefined` for a principal with more than plain fields, because rules may distinguish them otherwise. */
function keyOf(principal: Principal): string | undefined {
  if (Object.getPrototypeOf(principal) !== Object.prototype) return undefined;
  const fields = Object.entries(principal).sort(([one], [other]) => (one < other ? -1 : 1));
  return fields.every(([, value]) => ['string', 'boolean', 'undefined'].includes(typeof value))
    ? JSON.stringify(fields)
    : undefined;
}
