import type { LanguageModelV4Content, LanguageModelV4StreamPart } from '@ai-sdk/provider';

/**
 * The combined content of a stream of model parts, as `doGenerate` returns it.
 *
 * @throws the error of the first error part
 */
export async function contentOf(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<LanguageModelV4Content[]> {
  const content: LanguageModelV4Content[] = [];
  const blocks = new Map<string, { text: string }>();
  for await (const part of stream) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const type = part.type === 'text-start' ? ('text' as const) : ('reasoning' as const);
        const block = { type, text: '', providerMetadata: part.providerMetadata };
        blocks.set(part.id, block);
        content.push(block);
        break;
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const block = blocks.get(part.id);
        if (block) block.text += part.delta;
        break;
      }
      case 'tool-call':
      case 'tool-result':
      case 'tool-approval-request':
      case 'source':
      case 'file':
      case 'reasoning-file':
      case 'custom':
        content.push(part);
        break;
      case 'error':
        throw part.error;
      default:
        break;
    }
  }
  return content;
}
