/** The path of a field as a JSON Pointer (RFC 6901): `''` for the whole value, `/amount`, `/items/0/name`. */
export type FieldPath = string;

export function pathWithin(path: FieldPath, key: string | number): FieldPath {
  return `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
