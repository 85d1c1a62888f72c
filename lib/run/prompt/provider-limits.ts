import type { LanguageModel, ModelMessage } from 'ai';
import { withoutBlankTexts } from './blank-texts.ts';
import { withOneTextPerResult, withRepliesToResults } from './one-text-per-result.ts';

/** What a provider takes in a prompt, besides texts, calls and results. */
export type ProviderLimits = {
  /** The keys of `providerOptions` in which parts of its own messages have data, such as signatures. */
  readonly keys: readonly string[];
  /** The ids that it takes for calls. */
  readonly callId: RegExp;
  /** Reasoning without its data, unless another provider of this table has signed it. */
  readonly takesUnsignedReasoning: boolean;
  /** Whether it has executed a call itself that has no data of a provider. */
  readonly hasExecuted: (call: { readonly toolCallId: string; readonly toolName: string }) => boolean;
  readonly takesMadeFiles: boolean;
  /** Media types of a person's files that it is known to refuse. */
  readonly refusedFiles: RegExp;
  /** Changes messages that it refuses for their order, or for their texts. */
  readonly reshape?: (messages: ModelMessage[]) => ModelMessage[];
};

export const nothing = /(?!)/;

const ofAnthropic = /^(?:srv|mcp)toolu_/;
const ofGoogle = 'code_execution';

const anthropic: ProviderLimits = {
  keys: ['anthropic'],
  callId: /^[\w-]+$/,
  takesUnsignedReasoning: false,
  hasExecuted: ({ toolCallId }) => ofAnthropic.test(toolCallId),
  takesMadeFiles: false,
  refusedFiles: /^(?:audio\/|text\/(?!plain$)|application\/(?!pdf$)|image\/(?!\*$|png$|jpe?g$|gif$|webp$))/,
  reshape: withoutBlankTexts,
};

const responses: ProviderLimits = {
  keys: ['openai', 'azure'],
  callId: /^[\w-]{1,64}$/,
  takesUnsignedReasoning: false,
  // A call of an MCP server that waits for an approval has an id of the package.
  hasExecuted: ({ toolCallId, toolName }) => !ofAnthropic.test(toolCallId) && toolName !== ofGoogle,
  takesMadeFiles: false,
  refusedFiles: /^(?:audio|video|text)\/|^application\/(?!pdf$)/,
};

/** Many services copy Chat Completions. Their limits on ids differ. */
const chatCompletions: ProviderLimits = {
  keys: [],
  callId: /./,
  takesUnsignedReasoning: true,
  hasExecuted: () => false,
  takesMadeFiles: false,
  refusedFiles: /^(?:audio\/(?!wav$|mp3$|mpeg$)|application\/(?!pdf$))/,
};

const openaiChat: ProviderLimits = {
  ...chatCompletions,
  callId: /^.{1,40}$/,
  refusedFiles: /^(?:audio\/(?!wav$|mp3$|mpeg$)|application\/(?!pdf$)|video\/|text\/)/,
};

const google: ProviderLimits = {
  keys: ['google', 'googleVertex', 'vertex'],
  callId: /./,
  takesUnsignedReasoning: false,
  hasExecuted: ({ toolCallId, toolName }) => !ofAnthropic.test(toolCallId) && toolName === ofGoogle,
  takesMadeFiles: true,
  refusedFiles: nothing,
  reshape: withOneTextPerResult,
};

const mistral: ProviderLimits = {
  keys: ['mistral'],
  callId: /^[A-Za-z0-9]{9}$/,
  takesUnsignedReasoning: true,
  hasExecuted: () => false,
  takesMadeFiles: false,
  refusedFiles: /^(?!image(?:\/|$)|application\/pdf$)/,
  reshape: withRepliesToResults,
};

/** By the names that the packages of the SDK give their models. The first match counts. */
const limitsByProvider: readonly (readonly [provider: RegExp, limits: ProviderLimits])[] = [
  [/(?:^|\.)anthropic(?:\.|$)/, anthropic],
  [/(?:^|\.)mistral(?:\.|$)/, mistral],
  [/^(?:google|googleVertex|vertex)(?:\.|$)/, google],
  [/^(?:openai|azure)\.responses$/, responses],
  [/^(?:openai|azure)\.chat$/, openaiChat],
  [/\.chat$/, chatCompletions],
];

/** The limits of a provider, also behind the AI Gateway; `undefined` for one that is not known. */
export function limitsOf(model: LanguageModel): ProviderLimits | undefined {
  const name = providerOf(model);
  const limits = limitsByProvider.find(([provider]) => provider.test(name))?.[1];
  const [own = ''] = name.split('.');
  // Packages for several providers name the data of their parts after the provider.
  return limits && !isKnownKey(own) ? { ...limits, keys: [...limits.keys, own] } : limits;
}

/** True for a key of `providerOptions` that belongs to a provider of the table. */
export function isKnownKey(key: string): boolean {
  return limitsByProvider.some(([, { keys }]) => keys.includes(key));
}

/** The name of a model's provider, such as `anthropic.messages`. */
export function providerOf(model: LanguageModel): string {
  if (typeof model !== 'string' && model.provider !== 'gateway') return model.provider;
  const [vendor = ''] = (typeof model === 'string' ? model : model.modelId).split('/');
  return vendor === 'openai' || vendor === 'azure' ? `${vendor}.responses` : vendor;
}
