import type { FlowSettings } from './flow-settings.ts';

/** The SDK's deprecated names of settings, and their current names. */
export const currentNames = {
  system: 'instructions',
  experimental_telemetry: 'telemetry',
  experimental_repairToolCall: 'repairToolCall',
  experimental_include: 'include',
  experimental_onStart: 'onStart',
  experimental_onStepStart: 'onStepStart',
  experimental_onLanguageModelCallStart: 'onLanguageModelCallStart',
  experimental_onLanguageModelCallEnd: 'onLanguageModelCallEnd',
  experimental_onToolCallStart: 'onToolExecutionStart',
  experimental_onToolCallFinish: 'onToolExecutionEnd',
  onStepFinish: 'onStepEnd',
  onFinish: 'onEnd',
} as const satisfies Readonly<Record<string, string>>;

/** Settings under their deprecated names, as their current ones take them. */
export type DeprecatedNames<Settings> = {
  readonly [Name in keyof typeof currentNames]?: Settings[(typeof currentNames)[Name] & keyof Settings];
};

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
