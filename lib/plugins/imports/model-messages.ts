import { convertToModelMessages, type ModelMessage, type ToolSet, type UIMessage } from 'ai';
import { CountersignError, toJson } from '../../protocol/index.ts';

/**
 * Parts of an imported message as the model sees them, by the SDK's own conversion, as JSON.
 *
 * @param tools for their `toModelOutput`
 * @throws CountersignError `invalid-request` if a tool's `toModelOutput` does not accept an old output
 * @source ADR 0036
 */
export async function modelMessagesOf(
  { id, role }: Pick<UIMessage, 'id' | 'role'>,
  parts: UIMessage['parts'],
  tools: ToolSet | undefined,
): Promise<ModelMessage[]> {
  try {
    const messages = await convertToModelMessages([{ role, parts }], { tools });
    return messages.filter(({ content }) => content.length > 0).map(asJson);
  } catch (cause) {
    const text = `Message ${id} cannot be converted for the model. Check \`toModelOutput\` of its tools.`;
    throw new CountersignError('invalid-request', text, { messageId: id }, { cause });
  }
}

/**
 * Without the options for a provider that the messages bring along. They may be from a client of the app that stored them, and would change
 * what the provider does with each later prompt.
 *
 * The SDK also accepts the address of a file as text, and JSON has no `URL`.
 */
function asJson({ providerOptions: _options, ...message }: ModelMessage): ModelMessage {
  if (message.role === 'system' || typeof message.content === 'string') return message;
  const content = message.content.map((given) => {
    const { providerOptions: _own, ...part } = { providerOptions: undefined, ...given };
    const data = 'data' in part ? part.data : undefined;
    const url = typeof data === 'object' && 'type' in data && data.type === 'url' ? data.url : undefined;
    return url === undefined ? part : { ...part, data: String(url) };
  });
  return toJson({ ...message, content }) as unknown as ModelMessage;
}
