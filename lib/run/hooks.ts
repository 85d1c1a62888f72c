import type { FlowStore } from '../log/store/index.ts';
import type { JsonValue, Principal, Question } from '../protocol/index.ts';
import type { FindGivers } from '../rights/givers.ts';
import type { Observer } from './observing/observer.ts';

/**
 * Begins to watch what a principal may answer. The result gets a callback, for the next time that the principal gets or loses the
 * right to answer an open question, and returns a function that ends the watch.
 *
 * @param questions reads open questions, once for all watches
 */
export type WatchRights = (
  principal: Principal,
  questions: Pick<FlowStore['questions'], 'list'>,
) => Promise<(callback: () => void) => () => void>;

/**
 * What the details of a question say of the plugin to a principal who may see the question, in place of what the question says of it.
 *
 * @returns `undefined`: nothing else
 */
export type AddDetails = (principal: Principal, question: Question) => Promise<JsonValue | undefined>;

/** What the plugins of a flow do at certain points of the kernel's work. Filled while the flow is created. */
export type Hooks = {
  readonly sweep: { readonly plugin: string; readonly run: () => Promise<void> }[];
  readonly beforeExpiry: ((question: Question) => Promise<void>)[];
  readonly beforeErase: (() => Promise<void>)[];
  readonly observers: { readonly plugin: string; readonly observer: Observer }[];
  readonly givers: FindGivers[];
  readonly watchRights: WatchRights[];
  readonly details: { readonly plugin: string; readonly add: AddDetails }[];
};
