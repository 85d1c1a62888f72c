import { CountersignError, type DataPart, isRecord, toJson } from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';

/** A part to write. Transient ones are not recorded. */
export type WrittenPart = { readonly part: DataPart; readonly isTransient: boolean };

/** Bytes of the JSON text in UTF-8. The log and each reader of the chat hold it. */
const maxBytes = 100_000;
const maxNameLength = 255;
const maxDepth = 64;

/** Parts with a meaning of their own for clients. */
const own = new Set(['data-draft', 'data-message-changed', 'data-tool-input', 'data-tool-lifecycle']);

const fields = new Set(['type', 'id', 'data', 'transient']);

/** Checks and copies a data part. @throws CountersignError `invalid-request` @source ADR 0031 */
export function parseDataPart(given: unknown): WrittenPart {
  const { type, id, data, transient = false, ...others } = isRecord(given) ? given : {};
  if (!isDataType(type)) {
    throw refuse('A data part must have a `type` of `data-` and a name, of at most 255 characters.');
  }
  if (own.has(type)) throw refuse(`\`${type}\` is a part of this library. Choose another name.`);
  if (id !== undefined && (typeof id !== 'string' || id === '' || id.length > maxNameLength)) {
    throw refuse(`The \`id\` of \`${type}\` must be a string of 1 to ${maxNameLength} characters.`);
  }
  if (typeof transient !== 'boolean') throw refuse(`\`transient\` of \`${type}\` must be true or false.`);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw refuse(`\`${type}\` has the field \`${unknown}\`. A data part has ${[...fields].join(', ')}.`);
  }
  const fault = faultOf(data);
  if (fault !== undefined) throw refuse(`The data of \`${type}\` must be JSON: it ${fault}.`);
  const bytes = runtime.utf8Length(JSON.stringify(data));
  if (bytes > maxBytes) {
    throw refuse(
      `The data of \`${type}\` has ${bytes} bytes as JSON. At most ${maxBytes} are allowed: write a reference to it instead.`,
    );
  }
  return { part: { type, id, data: toJson(data) }, isTransient: transient };
}

function isDataType(type: unknown): type is DataPart['type'] {
  return typeof type === 'string' && /^data-./s.test(type) && type.length <= maxNameLength;
}

/** Why a value would not survive JSON unchanged, as the end of a sentence. Fields that are `undefined` are left out. */
function faultOf(value: unknown): string | undefined {
  const open: { item: unknown; depth: number }[] = [{ item: value, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { item, depth } = next;
    if (item === null || typeof item === 'string' || typeof item === 'boolean') continue;
    if (typeof item === 'number' && Number.isFinite(item)) continue;
    if (typeof item !== 'object')
      return `contains ${typeof item === 'number' ? item : `a value of type ${typeof item}`}`;
    if (depth >= maxDepth) return `is nested deeper than ${maxDepth} levels, or contains itself`;
    if (!isPlain(item)) return `contains an object of the class ${item.constructor?.name ?? 'unknown'}`;
    for (const [key, child] of Object.entries(item)) {
      // Clients refuse a response with such a key.
      if (key === '__proto__' || (key === 'constructor' && isRecord(child))) return `has the key ${key}`;
      if (child !== undefined || Array.isArray(item)) open.push({ item: child, depth: depth + 1 });
    }
  }
  return undefined;
}

function isPlain(item: object): boolean {
  if (Array.isArray(item)) return true;
  const prototype: unknown = Object.getPrototypeOf(item);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function refuse(message: string): CountersignError {
  return new CountersignError('invalid-request', message);
}
