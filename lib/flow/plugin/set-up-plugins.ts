import { CountersignError } from '../../protocol/index.ts';
import { recordPluginEvent } from '../../run/plugin-event.ts';
import { type FormerIds, withCurrentId } from '../../settings/former-ids.ts';
import type { MakeRoute } from './http.ts';
import type { FlowPlugin, InstalledPlugin, Kernel, PluginMethods } from './plugin.ts';

/** Sets plugins up, in order. @throws CountersignError `invalid-settings` for two of one name, and what a plugin throws */
export function setUpPlugins<Plugins extends readonly FlowPlugin[]>(
  plugins: readonly FlowPlugin[] = [],
  kernel: Omit<Kernel, 'record'>,
): {
  readonly methods: PluginMethods<Plugins>;
  readonly installed: readonly InstalledPlugin[];
  readonly start: () => void;
  readonly close: () => Promise<void>;
} {
  const { hooks } = kernel;
  const methods: Record<string, object> = {};
  const starting: (() => void)[] = [];
  const closing: (() => Promise<void>)[] = [];
  const installed = plugins.map(({ name, setUp }): InstalledPlugin => {
    if (Object.hasOwn(methods, name)) {
      throw new CountersignError('invalid-settings', `Two plugins have the name \`${name}\`.`, {
        plugin: name,
      });
    }
    const {
      methods: own,
      endpoints,
      openApi,
      start,
      close,
      ...parts
    } = setUp({ ...kernel, record: (question, decide) => recordPluginEvent(kernel, name, question, decide) });
    methods[name] = own;
    const { sweep, beforeExpiry, beforeErase, observer, givers, watchRights, details } = parts;
    if (sweep) hooks.sweep.push({ plugin: name, run: sweep });
    if (beforeExpiry) hooks.beforeExpiry.push(beforeExpiry);
    if (beforeErase) hooks.beforeErase.push(beforeErase);
    if (observer) hooks.observers.push({ plugin: name, observer });
    if (givers) hooks.givers.push(givers);
    if (watchRights) hooks.watchRights.push(watchRights);
    if (details) hooks.details.push({ plugin: name, add: details });
    if (start) starting.push(start);
    if (close) closing.push(close);
    return {
      name,
      openApi,
      endpoints: endpoints && ((route) => endpoints(identified(route, kernel.settings))),
    };
  });
  return {
    // Typed by the list that the methods come from.
    methods: methods as PluginMethods<Plugins>,
    installed,
    start() {
      for (const begin of starting) begin();
    },
    close: async () => void (await Promise.all(closing.map((close) => close()))),
  };
}

/** Handlers of plugins get the current id of a principal, as the methods of the flow do. */
function identified(route: MakeRoute, settings: FormerIds): MakeRoute {
  return (handle, counted) =>
    route(
      (request) => handle({ ...request, principal: withCurrentId(settings, request.principal) }),
      counted,
    );
}
