import type { Observer } from './observing/observer.ts';

/** What the plugins of a flow do at certain points of the kernel's work. Filled while the flow is created. */
export type Hooks = {
  /** @see PluginParts.sweep */
  readonly sweep: { readonly plugin: string; readonly run: () => Promise<void> }[];
  /** @see PluginParts.beforeErase */
  readonly beforeErase: (() => Promise<void>)[];
  /** @see PluginParts.observer */
  readonly observers: { readonly plugin: string; readonly observer: Observer }[];
};
