/** Where a field is: `''` the whole, `/amount`, `/items/0/name`, as JSON Pointer (RFC 6901) writes it. */
export type FieldPath = string;

/** The path of a part of a value. */
export function pathWithin(path: FieldPath, key: string | number): FieldPath {
  return `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
