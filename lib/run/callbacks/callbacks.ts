import { type ChatId, errorPlace, type Logger } from '../../protocol/index.ts';
import type { CallbackName, Place } from '../../settings/call/callbacks.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';

/**
 * Calls the callbacks of a flow. They cannot affect the flow: an error is logged by name and location,
 * because its message may quote arguments.
 *
 * @source ADR 0029
 */
export function createCallbacks(settings: FlowSettings, logger: Logger) {
  const pending = new Map<Promise<unknown>, ChatId>();

  async function run(name: CallbackName, event: object): Promise<unknown> {
    try {
      return await (settings[name] as ((event: object) => unknown) | undefined)?.(event);
    } catch (error) {
      logger.error('A callback failed.', { callback: name, error: errorPlace(error) });
      return undefined;
    }
  }

  function keep<Result>(chatId: ChatId, work: Promise<Result>): Promise<Result> {
    pending.set(work, chatId);
    void work.finally(() => pending.delete(work)).catch(() => {});
    return work;
  }

  const asked = new WeakSet<object>();
  /** The last event of a chat, while it is being made. */
  const latest = new Map<ChatId, Promise<void>>();

  return {
    /** Whether this callback is set, so that costly events are not made unnecessarily. */
    has: (name: CallbackName): boolean => settings[name] !== undefined,

    /** Calls a callback. It begins synchronously, and is not awaited. Never throws. */
    call<Event extends Pick<Place, 'chatId'>>(name: CallbackName, event: Event): void {
      if (settings[name]) void keep(event.chatId, run(name, event));
    },

    /** Calls `onError` to decide how to handle an error. @returns what it returned, `undefined` if it failed */
    askAboutError(error: unknown, place: Place): Promise<unknown> {
      if (isObject(error)) asked.add(error);
      return keep(place.chatId, run('onError', { ...place, error }));
    },

    /** Reports the error of a run to `onError`, unless it was just asked about it. */
    reportError(error: unknown, place: Place): void {
      if (isObject(error) && asked.delete(error)) return;
      void keep(place.chatId, run('onError', { ...place, error }));
    },

    /**
     * Makes an event asynchronously, and calls the callback with it, if there is one. Callbacks of one chat
     * are called in order. Never throws.
     */
    callWith(name: CallbackName, chatId: ChatId, make: () => Promise<object | undefined>): void {
      if (!settings[name]) return;
      const making = make();
      // It is awaited later, and must not count as unhandled until then.
      making.catch(() => {});
      const work = (latest.get(chatId) ?? Promise.resolve())
        .then(() => making)
        .then(
          (event) => {
            if (event) void keep(chatId, run(name, event));
          },
          (error: unknown) => {
            logger.error('A callback could not be called.', { callback: name, error: errorPlace(error) });
          },
        )
        .finally(() => {
          if (latest.get(chatId) === work) latest.delete(chatId);
        });
      latest.set(chatId, work);
      void keep(chatId, work);
    },

    /** Resolves when no callback is running, or none for one chat. */
    async finished(chatId?: ChatId): Promise<void> {
      const awaited = () =>
        [...pending].flatMap(([work, of]) => (chatId === undefined || of === chatId ? [work] : []));
      for (let works = awaited(); works.length > 0; works = awaited()) await Promise.allSettled(works);
    },
  };
}

export type CalledBack = ReturnType<typeof createCallbacks>;

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** An event of the SDK with other fields. Keeps its class: a step result has most of its fields from there. */
export function withFields<Event extends object, Fields extends object>(
  event: Event,
  fields: Fields,
): Event & Fields {
  const copy = Object.create(Object.getPrototypeOf(event) as object) as Event;
  return Object.assign(copy, event, fields);
}
