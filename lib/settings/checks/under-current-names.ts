import type { FlowSettings } from '../flow-settings.ts';
import { currentNames } from './deprecated-names.ts';

/**
 * The settings under their current names. If both names are given, the current one counts, as in the SDK. The rest of
 * the engine never sees a deprecated name, so no rule can miss one: secrets must be kept out of `telemetry` under any name.
 */
export function underCurrentNames(given: FlowSettings): FlowSettings {
  const { includeRawChunks: rawChunks, ...settings } = given;
  for (const [deprecated, current] of Object.entries(currentNames)) {
    const name = deprecated as keyof typeof currentNames;
    const value = settings[name];
    delete settings[name];
    if (value !== undefined && settings[current] === undefined) Object.assign(settings, { [current]: value });
  }
  return rawChunks === undefined
    ? settings
    : { ...settings, include: { ...settings.include, rawChunks: settings.include?.rawChunks ?? rawChunks } };
}
