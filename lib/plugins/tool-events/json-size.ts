import { runtime } from '../../runtime/runtime.ts';

/** A number has at most this many bytes for the one that is counted, and a character of a string six: `\u0000`. */
const mostBytesOfUnit = 25;

/** Whether JSON has more bytes than this in UTF-8. The cost of a long value is that of the limit. */
export function isLongerJson(value: unknown, bytes: number): boolean {
  const least = leastBytes(value, bytes);
  if (least > bytes) return true;
  if (least * mostBytesOfUnit <= bytes) return false;
  return runtime.utf8Length(JSON.stringify(value) ?? '') > bytes;
}

function leastBytes(value: unknown, enough: number): number {
  let bytes = 0;
  const rest: unknown[] = [value];
  while (rest.length > 0 && bytes <= enough) {
    const item = rest.pop();
    bytes += typeof item === 'string' ? item.length + 2 : 1;
    if (Array.isArray(item)) {
      for (let index = 0; index < item.length && bytes <= enough; index += 1) {
        bytes += 1;
        rest.push(item[index]);
      }
    } else if (typeof item === 'object' && item !== null) {
      for (const [key, field] of Object.entries(item)) {
        bytes += key.length + 4;
        rest.push(field);
      }
    }
  }
  return bytes;
}
