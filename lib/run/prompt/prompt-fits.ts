import type { LanguageModel, ModelMessage } from 'ai';
import { type ChatId, isRecord, type Logger } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { fitPrompt } from './fit-prompt.ts';
import { limitsOf, nothing, type ProviderLimits, providerOf } from './provider-limits.ts';
import { createUnchangedMessages } from './unchanged-messages.ts';
import { withoutWebFiles } from './web-files.ts';

type Place = {
  readonly chatId: ChatId;
  readonly settings: Pick<
    FlowSettings,
    'tools' | 'providerOptions' | 'experimental_download' | 'prepareStep'
  >;
};

/**
 * Fits prompts to the providers of their models. The program's log says which parts were left out, once for each part.
 *
 * @see fitPrompt
 */
export function createPromptFits(logger: Logger) {
  /** Parts of the cached transcripts. */
  const reported = new WeakSet<object>();
  const unchanged = createUnchangedMessages();

  return {
    /** @param place.settings those of the step */
    async fit(
      model: LanguageModel,
      messages: ModelMessage[],
      { chatId, settings }: Place,
    ): Promise<ModelMessage[]> {
      const { tools = {}, providerOptions, prepareStep } = settings;
      const leftOut: Record<string, number> = {};
      const provider = providerOf(model);
      const limits = withOptions(limitsOf(model), providerOptions);
      const target = { limits, isOffered: (name: string) => Object.hasOwn(tools, name) };
      const targetName = JSON.stringify([provider, limits?.refusedFiles.source, Object.keys(tools)]);
      const onLeftOut = (part: { readonly type: string }) => {
        if (reported.has(part)) return;
        reported.add(part);
        leftOut[part.type] = (leftOut[part.type] ?? 0) + 1;
      };
      // An author's function may change messages. The last unchanged one is needed where a provider refuses one after another.
      const count = prepareStep ? 0 : unchanged.count(messages, targetName);
      const start = Math.max(0, count - 1);
      const news = start === 0 ? messages : messages.slice(start);
      // Who fetches files has decided which ones.
      const read = settings.experimental_download ? news : await withoutWebFiles(model, news, onLeftOut);
      const fitted = fitPrompt(read, target, onLeftOut, messages);
      unchanged.add(messages, { start, fitted, target: targetName });
      if (Object.keys(leftOut).length > 0) {
        logger.warn('Parts of a chat were left out of a prompt: the provider does not take them.', {
          chatId,
          provider,
          leftOut,
        });
      }
      return fitted === news ? messages : [...messages.slice(0, start), ...fitted];
    },
  };
}

export type PromptFits = ReturnType<typeof createPromptFits>;

/** OpenAI takes any file with an option of its package. */
function withOptions(
  limits: ProviderLimits | undefined,
  options: FlowSettings['providerOptions'] = {},
): ProviderLimits | undefined {
  const passesFiles = limits?.keys.some((key) => {
    const own = options[key];
    return isRecord(own) && own.passThroughUnsupportedFiles === true;
  });
  return limits && passesFiles ? { ...limits, refusedFiles: nothing } : limits;
}
