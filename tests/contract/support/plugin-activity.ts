import type { FlowPlugin } from 'countersign/plugin';
import { rememberedActivity } from './remembered-activity.ts';

/** What people do with a plugin, and where they see it. */
export type PluginActivity = {
  readonly plugin: FlowPlugin;
  /** A list, and how many pages of one item a person has of it after two approvals. */
  readonly list: { readonly path: string; readonly pages: number };
  /** What the two approvals of a person say in addition. */
  readonly approvals: readonly object[];
  /** What a person does later. */
  readonly act: (
    get: (path: string) => Promise<string>,
    remove: (path: string) => Promise<unknown>,
  ) => Promise<void>;
};

/** What plugins add to what people do and see. */
export const pluginActivities: readonly PluginActivity[] = [rememberedActivity];
