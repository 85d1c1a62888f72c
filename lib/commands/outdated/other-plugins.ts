import type { Instance } from '../../log/store/index.ts';
import type { Engine } from '../../run/engine.ts';

/** Warns, once for each instance, of one that has other plugins: neither of the two takes over all runs of the other. */
export function createPluginWatch({
  settings,
  thisProcess,
  logger,
}: Pick<Engine, 'settings' | 'thisProcess' | 'logger'>) {
  const plugins = (settings.plugins ?? []).map(({ name }) => name);
  const known = new Set<string>([thisProcess.instance]);
  return {
    plugins,
    compare(instances: readonly Instance[]): void {
      for (const { id, plugins: others } of instances) {
        if (known.has(id)) continue;
        known.add(id);
        const missing = others.filter((name) => !plugins.includes(name));
        const added = plugins.filter((name) => !others.includes(name));
        if (missing.length + added.length === 0) continue;
        const facts = { instance: id, missingHere: missing, missingThere: added };
        logger.warn(
          'Another instance has other plugins. Runs that need one are left to instances that have it.',
          facts,
        );
      }
    },
  };
}
