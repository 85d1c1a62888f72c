import type { EventOf } from '../../protocol/index.ts';

type Written = EventOf<'data-written'>;

/** Data parts with one more. It replaces a part with the same type and id. @source ADR 0031 */
export function withPart(parts: readonly Written[], written: Written): readonly Written[] {
  const { type, id } = written.part;
  const isSame = ({ part }: Written) => id !== undefined && part.type === type && part.id === id;
  return parts.some(isSame) ? parts.map((each) => (isSame(each) ? written : each)) : [...parts, written];
}
