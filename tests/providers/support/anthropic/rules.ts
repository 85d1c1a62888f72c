import type { AnthropicBlock, AnthropicBody, AnthropicMessage } from './body.ts';

type Block<Type> = Extract<AnthropicBlock, { type: Type }>;

/**
 * What Messages refuses with 400 although it fits the schema, in the service's words.
 *
 * @param signed the thinking that the service has sent, by signature
 */
export function faultOfAnthropic(
  { messages, system = [] }: AnthropicBody,
  signed: ReadonlyMap<string, string>,
): string | undefined {
  const faults = [
    ...system.flatMap((part) => blank(part, 'system')),
    ...(messages[0]?.role === 'user' ? [] : ['messages: first message must use the "user" role']),
    ...messages.flatMap((message, at) => faultsOfMessage(message, at, signed)),
    ...messages.flatMap((message, at) => faultsOfCalls(message, messages[at + 1], at)),
    ...messages.flatMap((message, at) => faultsOfResults(message, messages[at - 1], at)),
    ...repeated(messages.flatMap((message) => ofType(message, 'tool_use').map(({ id }) => id))).map(
      (id) => `messages: \`tool_use\` ids must be unique: ${id}`,
    ),
    ...(messages.at(-1)?.role === 'assistant'
      ? [
          'This model does not support assistant message prefill. The conversation must end with a user message.',
        ]
      : []),
  ];
  return faults[0];
}

function faultsOfMessage(
  { role, content }: AnthropicMessage,
  at: number,
  signed: ReadonlyMap<string, string>,
): string[] {
  return [
    ...(content.length === 0 ? [`messages.${at}: all messages must have non-empty content`] : []),
    ...(content.at(-1)?.type === 'thinking'
      ? [`messages.${at}: The final block in an assistant message cannot be \`thinking\`.`]
      : []),
    ...content.flatMap((block) => {
      if (block.type === 'text') return blank(block, 'messages');
      if (block.type === 'thinking') {
        return signed.get(block.signature) === block.thinking
          ? []
          : [`messages.${at}: Invalid \`signature\` in \`thinking\` block`];
      }
      const expected = block.type === 'tool_result' ? 'user' : block.type === 'tool_use' ? 'assistant' : role;
      return role === expected
        ? []
        : [`messages.${at}: \`${block.type}\` blocks can only be in \`${expected}\` messages`];
    }),
  ];
}

function blank({ text }: { readonly text: string }, where: string): string[] {
  if (text === '') return [`${where}: text content blocks must be non-empty`];
  return text.trim() === '' ? [`${where}: text content blocks must contain non-whitespace text`] : [];
}

/** All results of a message's calls are at the beginning of the next message. */
function faultsOfCalls(message: AnthropicMessage, next: AnthropicMessage | undefined, at: number): string[] {
  const calls = ofType(message, 'tool_use');
  const end = next?.content.findIndex(({ type }) => type !== 'tool_result') ?? 0;
  const first = next?.content.slice(0, end === -1 ? undefined : end) ?? [];
  const answered = new Set(first.flatMap((block) => (block.type === 'tool_result' ? block.tool_use_id : [])));
  return calls
    .filter(({ id }) => !answered.has(id))
    .map(
      ({ id }) =>
        `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}`,
    );
}

/** Each result belongs to a call of the message before it, and is its only one. */
function faultsOfResults(
  message: AnthropicMessage,
  before: AnthropicMessage | undefined,
  at: number,
): string[] {
  const results = ofType(message, 'tool_result');
  const called = new Set(before ? ofType(before, 'tool_use').map(({ id }) => id) : []);
  return [
    ...results
      .filter(({ tool_use_id }) => !called.has(tool_use_id))
      .map(
        ({ tool_use_id }) =>
          `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${tool_use_id}`,
      ),
    ...repeated(results.map(({ tool_use_id }) => tool_use_id)).map(
      (id) => `messages.${at}: each tool_use must have a single result. Found multiple for: ${id}`,
    ),
    ...results
      .filter(({ is_error, content = '' }) => is_error && content.length === 0)
      .map(() => `messages.${at}: tool_result: content cannot be empty if \`is_error\` is true`),
    ...results
      .flatMap(({ content }) => (typeof content === 'string' ? [] : (content ?? [])))
      .flatMap((part) =>
        part.type === 'text' ? blank(part as Block<'text'>, `messages.${at}.tool_result`) : [],
      ),
  ];
}

function ofType<Type extends AnthropicBlock['type']>({ content }: AnthropicMessage, type: Type) {
  return content.filter((block): block is Block<Type> => block.type === type);
}

function repeated(ids: readonly string[]): string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}
