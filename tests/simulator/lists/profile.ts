import type { Random } from '../machine/random.ts';
import type { Profile } from '../schedule/profile.ts';

/** Plugins that instances of the simulated flow may have. */
export const pluginNames = [
  'imports',
  'remembered',
  'votes',
  'subscriptions',
  'escalation',
  'delegation',
  'operations',
  'insights',
  'preApprovals',
] as const;
export type PluginName = (typeof pluginNames)[number];

/** Whether a schedule uses a plugin. */
const isUsed: Readonly<Record<string, (profile: Profile) => unknown>> = {
  imports: ({ imports }) => imports,
  remembered: ({ acts }) => acts['answer-remember'],
  votes: ({ several }) => several?.voted.length,
  subscriptions: ({ subscriptions }) => subscriptions,
  escalation: ({ several }) => several,
  delegation: ({ several }) => several?.delegates,
};

/** Plugins that an instance may lack although they are used. */
const lackableNames = ['remembered', 'votes', 'subscriptions', 'escalation', 'delegation'] as const;

/** The lists of plugins in one schedule. */
export type ListsProfile = {
  /** The list of each instance, and in a rolling deployment of those that are up to date. */
  readonly list: readonly PluginName[];
  /** A rolling deployment: instances start with or without these plugins, until it is completed at the end. */
  readonly deployed?: readonly PluginName[];
};

/** The share of schedules with a rolling deployment, if a plugin is used that an instance may lack. */
const deploys = 0.35;

/** Draws the list of a schedule: every plugin that is used, and some that are not. It has its own random numbers. */
export function listsProfileOf(random: Random, profile: Profile): ListsProfile {
  const used = new Set(pluginNames.filter((name) => isUsed[name]?.(profile)));
  const list = pluginNames.filter((name) => random.chance(0.4) || used.has(name));
  const lackable = lackableNames.filter((name) => used.has(name));
  if (lackable.length === 0 || !random.chance(deploys)) return { list };
  const some = lackable.filter(() => random.chance(0.5));
  return { list, deployed: some.length > 0 ? some : [random.pick(lackable)] };
}
