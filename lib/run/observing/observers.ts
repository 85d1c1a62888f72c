import type { Call, Turn } from '../../log/turn/turn.ts';
import {
  type ChatId,
  type EventBody,
  errorPlace,
  type FlowEvent,
  type Logger,
} from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';
import { hasSecrets } from '../../settings/agents/agents.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { createRedaction } from '../../views/reader/redact-events.ts';
import type { Hooks } from '../hooks.ts';
import type { ObservedRun, ObservedWork, RecordedEvent, SdkOptions, Watch, WorkEnd } from './observer.ts';

type Work<Given extends unknown[], Result> = (...given: Given) => Promise<Result>;

/** What all observers do about one piece of work. None of its functions throws. */
export type Watched = {
  readonly sdk: SdkOptions;
  /** @param hasSecrets whether the call has secrets, as recorded */
  begin(work: ObservedWork, hasSecrets?: boolean): Watched;
  /** The same work in the contexts of the observers, which are no longer involved when it begins. */
  bind<Given extends unknown[], Result>(work: Work<Given, Result>): Work<Given, Result>;
  end(end?: WorkEnd): void;
};

/** Work that nothing observes. One object for all work, so that a flow without observers has no cost. */
export const unobserved: Watched = {
  sdk: { telemetry: { isEnabled: false } },
  begin: () => unobserved,
  bind: (work) => work,
  end() {},
};

type Watching = { readonly plugin: string; readonly watch: Watch };
type Place = Pick<ObservedRun, 'chatId' | 'runId'>;
type Begun = { readonly watch: Watched; readonly events: readonly EventBody[] };
type Written = { readonly event: FlowEvent; readonly call?: Call };

/** The observers of a flow's plugins. @source ADR 0056 */
export function createObservers({
  settings,
  hooks: { observers },
  logger,
}: {
  readonly settings: FlowSettings;
  readonly hooks: Pick<Hooks, 'observers'>;
  readonly logger: Logger;
}) {
  // The model's messages contain the secrets of all tools.
  const isQuotable = !hasSecrets(settings);

  function guarded<Result>(plugin: string, observe: () => Result): Result | undefined {
    try {
      return observe();
    } catch (error) {
      logger.warn('An observer failed. The work went on.', { plugin, error: errorPlace(error) });
      return undefined;
    }
  }

  function watchedBy(watches: readonly Watching[], isQuoted: boolean): Watched {
    if (watches.length === 0) return unobserved;
    const sdk = watches.find(({ watch }) => watch.sdk)?.watch.sdk ?? unobserved.sdk;
    return {
      sdk: isQuoted ? sdk : { telemetry: { ...sdk.telemetry, recordInputs: false, recordOutputs: false } },

      begin(work, isSecret = false) {
        const quotes = isQuoted && !isSecret;
        const shown = work.type === 'tool' && !quotes ? { ...work, input: undefined } : work;
        const begun = watches.flatMap(({ plugin, watch }) => {
          const own = guarded(plugin, () => watch.begin?.(shown));
          return own ? { plugin, watch: own } : [];
        });
        return watchedBy(begun, quotes);
      },

      bind(work) {
        let bound: typeof work | undefined;
        const enter = ([first, ...others]: readonly Watching[]): void => {
          if (!first) bound = runtime.inThisContext(work);
          else guarded(first.plugin, () => first.watch.within?.(() => enter(others)));
          // An observer that failed, or has no context, is left out.
          if (!bound) enter(others);
        };
        enter(watches);
        return bound ?? work;
      },

      end(end = {}) {
        const shown = isQuoted ? end : { ...end, output: undefined, message: undefined };
        for (const { plugin, watch } of watches) guarded(plugin, () => watch.end?.(shown));
      },
    };
  }

  function watchRun({ plugins }: Pick<Turn, 'plugins'>, run: Omit<ObservedRun, 'kept'>): readonly Watching[] {
    return observers.flatMap(({ plugin, observer }) => {
      const watch = guarded(plugin, () => observer.begin?.({ ...run, kept: plugins?.[plugin] }));
      return watch ? { plugin, watch } : [];
    });
  }

  return {
    /** Called with what this instance has made durable in a chat. */
    recorded(chatId: ChatId, batch: readonly Written[]): void {
      if (observers.length === 0) return;
      const events = batch.map((written) => recordedEvent(chatId, written));
      for (const { plugin, observer } of observers) guarded(plugin, () => observer.recorded?.(events));
    },

    /**
     * Called before the events that begin a run are written.
     *
     * @returns these events: the first one of a turn has what observers keep with the turn
     */
    begin(place: Place, turn: Turn, opening: readonly EventBody[]): Begun {
      if (observers.length === 0) return { watch: unobserved, events: opening };
      const start = opening.find((event) => event.type === 'run-started' && event.asker !== undefined);
      const watches = watchRun(turn, { ...place, isFirst: start !== undefined, isTakenOver: false });
      const kept = watches.flatMap(({ plugin, watch: { keep } }) =>
        keep === undefined ? [] : [[plugin, keep]],
      );
      const plugins = kept.length > 0 ? { plugins: Object.fromEntries(kept) } : {};
      return {
        watch: watchedBy(watches, isQuotable),
        events: opening.map((event) => (event === start ? { ...event, ...plugins } : event)),
      };
    },

    /** Called when a run is taken over. */
    takeOver: (place: Place, turn: Turn): Watched =>
      watchedBy(watchRun(turn, { ...place, isFirst: false, isTakenOver: true }), isQuotable),
  };
}

export type Observers = ReturnType<typeof createObservers>;

function recordedEvent(chatId: ChatId, { event, call }: Written): RecordedEvent {
  const redact = createRedaction();
  if (!call) return { chatId, event: redact(event) };
  const { requested, started, asked } = call;
  // The events that name the secrets of a call.
  for (const earlier of [requested, started]) if (earlier) redact(earlier);
  const { toolName, invalid } = requested;
  return {
    chatId,
    event: redact(event),
    call: { toolName, isInvalid: invalid === true, askedAt: asked?.at },
  };
}

/** The kind of an error, without its message: that may quote what the model or a person wrote. */
export function kindOfError(error: unknown): string {
  return error instanceof Error ? error.name : '_OTHER';
}
