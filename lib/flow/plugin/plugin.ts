import type { Question } from '../../protocol/index.ts';
import type { FindGivers } from '../../rights/givers.ts';
import type { Engine } from '../../run/engine.ts';
import type { AddDetails, WatchRights } from '../../run/hooks.ts';
import type { Observer } from '../../run/observing/observer.ts';
import type { DecideEvent } from '../../run/plugin-event.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import type { PluginDeclaration } from '../../settings/plugin/plugin-declaration.ts';
import type { Cursors } from '../../views/questions/cursors.ts';
import type { Approvals } from '../methods/approvals.ts';
import type { Endpoint, MakeRoute } from './http.ts';
import type { OpenApiPart } from './open-api.ts';

/** What a plugin works with. */
export type Kernel = Engine & {
  readonly cursors: Cursors;
  readonly approvals: Approvals;
  /** Records an event of the plugin about an open question. @see recordPluginEvent */
  readonly record: (question: Question, decide: DecideEvent) => Promise<boolean>;
};

/** What a plugin adds to one flow. */
export type PluginParts<Methods extends object> = {
  /** Become `flow[name]`. */
  readonly methods: Methods;
  /** Its HTTP endpoints, in addition to those of the kernel. */
  readonly endpoints?: (route: MakeRoute) => readonly Endpoint[];
  /** What the OpenAPI document says about its endpoints. */
  readonly openApi?: OpenApiPart;
  /** Its part of the periodic work, which any instance may do. If it throws, it is logged, and the next sweep tries again. */
  readonly sweep?: () => Promise<void>;
  /** Called before a question is ended at its deadline. If it throws, the question stays open until the next sweep. */
  readonly beforeExpiry?: (question: Question) => Promise<void>;
  /** Called before a chat is erased. If it throws, the chat is not erased. */
  readonly beforeErase?: () => Promise<void>;
  /** Sees the work of the flow on this instance, such as for traces. */
  readonly observer?: Observer | undefined;
  /**
   * Who lets a principal use their right to answer. A claim: the rules of the kernel must let this person answer, and the asker never
   * may. If it throws, no one may.
   */
  readonly givers?: FindGivers;
  /** Ends the feeds of a principal who may answer other questions than before, so that clients read the list again. */
  readonly watchRights?: WatchRights;
  /** What the details of a question say of the plugin. If it throws, it is logged, and they say what the question says. */
  readonly details?: AddDetails;
  /** Begins the plugin's own work. Called when all plugins are set up. */
  readonly start?: () => void;
  /** Ends what the plugin has begun. */
  readonly close?: () => Promise<void>;
};

/**
 * A feature that is not part of the kernel. Without it, a flow has no trace of it: no methods, no endpoints, no settings and no work.
 *
 * @source ADR 0056
 */
export type FlowPlugin<Name extends string = string, Methods extends object = object> = Omit<
  PluginDeclaration<FlowSettings>,
  'setUp'
> & {
  readonly name: Name;
  /** Called once for each flow, when it is created. @throws CountersignError `invalid-settings` */
  setUp(kernel: Kernel): PluginParts<Methods>;
};

/** The methods that these plugins add to a flow, by name. */
export type PluginMethods<Plugins extends readonly FlowPlugin[]> = {
  readonly [Plugin in Plugins[number] as string extends Plugin['name'] ? never : Plugin['name']]: ReturnType<
    Plugin['setUp']
  >['methods'];
};

/** A plugin of a flow, as its servers see it. */
export type InstalledPlugin = {
  readonly name: string;
  readonly endpoints?: PluginParts<object>['endpoints'] | undefined;
  readonly openApi?: OpenApiPart | undefined;
};
