import { type JsonValue, type QuestionPlugins, toJson } from '../../protocol/index.ts';
import type { FlowSettings } from '../flow-settings.ts';
import { detailsOf } from '../tools/tool-details.ts';
import type { AnswerGate } from './plugin-declaration.ts';

/** The gates of an answer to a question: those of the plugins of which it says something, with what it says. */
export function gatesOf(
  { plugins = [] }: Pick<FlowSettings, 'plugins'>,
  said: QuestionPlugins = {},
): readonly { readonly plugin: string; readonly says: JsonValue; readonly gate: AnswerGate }[] {
  const says = new Map<string, JsonValue>(Object.entries(said));
  return plugins.flatMap(({ name, gate }) => {
    const own = says.get(name);
    return gate && own !== undefined ? [{ plugin: name, says: own, gate }] : [];
  });
}

/** Whether an answer to a question must pass a gate. Then nothing but answers to it can settle it. */
export function isGated(settings: Pick<FlowSettings, 'plugins'>, said: QuestionPlugins | undefined): boolean {
  return gatesOf(settings, said).length > 0;
}

/** The settings of a tool for plugins with a gate, as JSON. A question is bound to them. */
export function gateDetailsOf(settings: FlowSettings, toolName: string): readonly JsonValue[] {
  const details = new Map<string, unknown>(Object.entries(detailsOf(settings, toolName)));
  return (settings.plugins ?? []).flatMap(({ name, gate }) => {
    const own = details.get(name);
    return gate && own !== undefined ? [[name, toJson(own)]] : [];
  });
}

/** The plugins with a gate, for the start of a turn. @returns `undefined` for none */
export function gateNames({ plugins = [] }: Pick<FlowSettings, 'plugins'>): readonly string[] | undefined {
  const names = plugins.flatMap(({ name, gate }) => (gate ? [name] : []));
  return names.length > 0 ? names : undefined;
}

/** The first of these plugins that the flow does not have here. */
export function missingPlugin(
  { plugins = [] }: Pick<FlowSettings, 'plugins'>,
  names: readonly string[],
): string | undefined {
  const installed = new Set(plugins.map(({ name }) => name));
  return names.find((name) => !installed.has(name));
}
