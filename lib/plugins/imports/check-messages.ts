import { safeValidateUIMessages, type UIMessage } from 'ai';
import { faultOfFileUrl } from '../../protocol/file-url.ts';
import { CountersignError, isRecord, type JsonValue, toJson } from '../../protocol/index.ts';
import { dangerOf } from '../../protocol/safe-json.ts';
import { runtime } from '../../runtime/runtime.ts';

const mostMessages = 10_000;
const mostBytes = 32 * 1024 ** 2;
const longestId = 256;

/**
 * The messages of a chat to import, as JSON: `id`, `role`, `metadata` and `parts` of each.
 *
 * @throws CountersignError `invalid-request`, which names the message and the part; `payload-too-large`
 * @source ADR 0036
 */
export async function checkMessages(given: unknown): Promise<readonly UIMessage[]> {
  if (!Array.isArray(given)) throw refuse('`messages` must be a list of messages.');
  if (given.length > mostMessages) {
    throw tooLarge(`The chat has ${given.length} messages. At most ${mostMessages} can be imported.`);
  }
  const messages = withIds(given.map((message, index) => fieldsOf(message, index)));
  const bytes = runtime.utf8Length(JSON.stringify(messages));
  if (bytes > mostBytes) {
    throw tooLarge(`The messages have ${bytes} bytes of JSON. At most ${mostBytes} can be imported.`);
  }
  if (messages.length === 0) return [];
  // Nothing else of a message is read before this check, because it may have any form.
  const checked = await safeValidateUIMessages({ messages: messages.map(complete) });
  if (!checked.success) throw faultOf(messages, checked.error);
  const valid = messages as unknown as readonly UIMessage[];
  checkEach(valid);
  return valid;
}

/** Other fields, such as `content` and `createdAt` of older versions, repeat the parts or are for the app's own use. */
function fieldsOf(message: unknown, index: number): Record<string, JsonValue> {
  if (!isRecord(message)) throw refuse(`Message ${index + 1} is not an object.`);
  const danger = dangerOf(message);
  if (danger) throw refuse(`${nameOf(message, index)} ${danger}.`);
  const { id, role, metadata, parts } = message;
  return {
    id: toJson(id),
    role: toJson(role),
    ...(metadata !== undefined && { metadata: toJson(metadata) }),
    parts: toJson(parts),
  };
}

/**
 * The SDK gives the id `''` to messages that were stored without `generateMessageId`. They get an id based on
 * their position, so that the same messages have the same ids.
 */
function withIds(messages: readonly Record<string, JsonValue>[]): Record<string, JsonValue>[] {
  const taken = new Set(messages.map(({ id }) => id));
  return messages.map((message, index) => {
    if (message.id !== '') return message;
    let id = `imported-${index + 1}`;
    while (taken.has(id)) id += '-';
    return { ...message, id };
  });
}

/** JSON has no `undefined`, which tools may take and return. */
function complete({ parts, ...message }: Record<string, JsonValue>): unknown {
  const filled = (part: JsonValue) => (isRecord(part) && 'toolCallId' in part ? withValues(part) : part);
  return { ...message, parts: Array.isArray(parts) ? parts.map(filled) : parts };
}

function withValues(part: Record<string, unknown>): Record<string, unknown> {
  return { input: null, ...(part.state === 'output-available' && { output: null }), ...part };
}

function faultOf(messages: readonly Record<string, unknown>[], { cause }: Error): CountersignError {
  const issues = isRecord(cause) && Array.isArray(cause.issues) ? cause.issues : [];
  const issue: unknown = issues[0];
  const path: readonly unknown[] = isRecord(issue) && Array.isArray(issue.path) ? issue.path : [];
  const [at, ...within] = path;
  const index = typeof at === 'number' ? at : 0;
  const why = isRecord(issue) && typeof issue.message === 'string' ? issue.message : 'It is not a UIMessage.';
  const [field, part, ...rest] = within;
  const place =
    field === 'parts' && typeof part === 'number'
      ? partAt(messages[index], part, rest)
      : within.length > 0
        ? `, ${within.join('.')}`
        : '';
  const text = `${nameOf(messages[index], index)}${place}: ${why.replace(/[.]?$/, '.')} Messages of older versions of the SDK must be converted first.`;
  return refuse(text, cause);
}

function partAt(message: unknown, index: number, rest: readonly unknown[]): string {
  const parts = isRecord(message) && Array.isArray(message.parts) ? message.parts : [];
  const part: unknown = parts[index];
  const type = isRecord(part) && typeof part.type === 'string' ? ` (${part.type.slice(0, 80)})` : '';
  return `, part ${index + 1}${type}${rest.length > 0 ? `, ${rest.join('.')}` : ''}`;
}

function checkEach(messages: readonly UIMessage[]): void {
  const ids = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const name = nameOf(message, index);
    if (message.id.length > longestId) {
      throw refuse(`${name}: the id must have at most ${longestId} characters.`);
    }
    if (ids.has(message.id)) throw refuse(`${name}: an earlier message has the same id.`);
    ids.add(message.id);
    if (message.role === 'system') {
      throw refuse(`${name} is a system message. Leave it out, and use \`instructions\` of the flow.`);
    }
    for (const [place, part] of message.parts.entries())
      checkPart(`${name}${partAt(message, place, [])}`, part);
  }
}

function checkPart(name: string, part: UIMessage['parts'][number]): void {
  if ('toolCallId' in part && (part.toolCallId === '' || part.toolCallId.length > longestId)) {
    throw refuse(`${name}: the tool call id must have 1 to ${longestId} characters.`);
  }
  const files = part.type === 'steering-message' ? part.parts : [part];
  for (const file of files) {
    const isFile = file.type === 'file' || file.type === 'reasoning-file';
    if (!isFile || 'providerReference' in file) continue;
    const fault = faultOfFileUrl(file.url);
    if (fault !== undefined) throw refuse(`${name}: ${fault}`);
  }
}

function nameOf(message: unknown, index: number): string {
  const id = isRecord(message) && typeof message.id === 'string' ? ` (${message.id.slice(0, 80)})` : '';
  return `Message ${index + 1}${id}`;
}

function refuse(message: string, cause?: unknown): CountersignError {
  return new CountersignError('invalid-request', message, {}, cause === undefined ? {} : { cause });
}

function tooLarge(message: string): CountersignError {
  return new CountersignError('payload-too-large', message);
}
