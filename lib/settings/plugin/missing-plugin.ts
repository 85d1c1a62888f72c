import type { FlowSettings } from '../flow-settings.ts';

/** The first of these plugins that the flow does not have here. */
export function missingPlugin(
  { plugins = [] }: Pick<FlowSettings, 'plugins'>,
  names: readonly string[],
): string | undefined {
  const installed = new Set(plugins.map(({ name }) => name));
  return names.find((name) => !installed.has(name));
}
