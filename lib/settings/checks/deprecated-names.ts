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

/** The types of settings under their deprecated names. */
export type DeprecatedNames<Settings> = {
  readonly [Name in keyof typeof currentNames]?: Settings[(typeof currentNames)[Name] & keyof Settings];
};
