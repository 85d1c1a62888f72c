import { isUrlSupported } from '@ai-sdk/provider-utils';
import type { LanguageModel, ModelMessage, ToolContent, UserContent } from 'ai';
import { isRecord } from '../../protocol/index.ts';

type UserPart = Exclude<UserContent, string>[number];
type ToolResult = Extract<ToolContent[number], { type: 'tool-result' }>;
type ResultPart = Extract<ToolResult['output'], { type: 'content' }>['value'][number];

type OnLeftOut = (part: { readonly type: string }) => void;

/** True for a file at this address that the model fetches itself. */
type IsRead = (url: string, mediaType: string) => boolean;

/**
 * The messages without files at addresses that the model does not fetch itself: each is named in a text. Otherwise the SDK would fetch
 * them here, where a name can lead into the server's own network. Its own check sees the name, not what it resolves to.
 *
 * @returns the same list if nothing changes
 * @source ADR 0055.10
 */
export async function withoutWebFiles(
  model: LanguageModel,
  messages: ModelMessage[],
  onLeftOut: OnLeftOut,
): Promise<ModelMessage[]> {
  // The SDK passes the addresses on to the AI Gateway.
  if (typeof model === 'string' || !messages.some(hasWebFile)) return messages;
  const supportedUrls = await model.supportedUrls;
  const isRead: IsRead = (url, mediaType) => isUrlSupported({ url, mediaType, supportedUrls });
  return messages.map((message): ModelMessage => {
    if (!hasWebFile(message) || typeof message.content === 'string') return message;
    if (message.role === 'user')
      return { ...message, content: message.content.map((part) => shown(part, isRead, onLeftOut)) };
    if (message.role === 'tool')
      return { ...message, content: message.content.map((part) => resultWith(part, isRead, onLeftOut)) };
    if (message.role === 'assistant')
      return { ...message, content: message.content.map((part) => resultWith(part, isRead, onLeftOut)) };
    return message;
  });
}

/** True for a message with a file or an image at a web address. */
export function hasWebFile({ content }: ModelMessage): boolean {
  if (typeof content === 'string') return false;
  return content.some(
    (part) =>
      addressIn(part) !== undefined || resultParts(part).some((each) => addressIn(each) !== undefined),
  );
}

const noParts: readonly ResultPart[] = [];

function resultParts(part: object): readonly ResultPart[] {
  const result = part as Partial<ToolResult>;
  return result.type === 'tool-result' && result.output?.type === 'content' ? result.output.value : noParts;
}

function resultWith<Part extends object>(part: Part, isRead: IsRead, onLeftOut: OnLeftOut): Part {
  const parts = resultParts(part);
  if (!parts.some((each) => addressIn(each) !== undefined)) return part;
  return { ...part, output: { type: 'content', value: parts.map((each) => shown(each, isRead, onLeftOut)) } };
}

function shown<Part extends UserPart | ResultPart>(part: Part, isRead: IsRead, onLeftOut: OnLeftOut) {
  const { filename, mediaType = part.type.startsWith('image') ? 'image' : 'application/octet-stream' } =
    part as { filename?: string; mediaType?: string };
  const url = addressIn(part);
  if (url === undefined || isRead(url, mediaType)) return part;
  onLeftOut(part);
  const file = filename === undefined ? `A file (${mediaType})` : `The file ${filename} (${mediaType})`;
  return { type: 'text' as const, text: `[${file} is left out: this model does not read web addresses.]` };
}

/** The web address of a file or an image, in any of the forms that the SDK takes. */
function addressIn(part: object): string | undefined {
  const { type, data, image, url } = part as Readonly<Record<string, unknown>>;
  if (type === 'file') return addressOf(data);
  if (type === 'image') return addressOf(image);
  return type === 'file-url' || type === 'image-url' ? addressOf(url) : undefined;
}

function addressOf(data: unknown): string | undefined {
  if (isRecord(data) && data.type === 'url') return addressOf(data.url);
  const text = data instanceof URL ? data.href : data;
  return typeof text === 'string' && /^https?:/i.test(text) ? text : undefined;
}
