// All plugins, also those of this package, add to these in `flow/plugin/index.ts`, the entry point `countersign/plugin`. If one adds
// to them here, TypeScript loses what an earlier module has added through the entry point.

/**
 * What questions say of plugins, by the name of the plugin: JSON, as every reader gets it. A plugin adds its own.
 *
 * @example declare module 'countersign/plugin' { interface QuestionPlugins { readonly comments?: { readonly count: number } } }
 * @source ADR 0056
 */
// biome-ignore lint/suspicious/noEmptyInterface: plugins add to it.
export interface QuestionPlugins {}

/** What answers say to plugins, by the name of the plugin. A plugin adds its own. @source ADR 0056 */
// biome-ignore lint/suspicious/noEmptyInterface: plugins add to it.
export interface AnswerPlugins {}

/** The settings of plugins for one tool, by the name of the plugin. A plugin adds its own. @source ADR 0056 */
// biome-ignore lint/suspicious/noEmptyInterface: plugins add to it.
export interface ToolPlugins {}
