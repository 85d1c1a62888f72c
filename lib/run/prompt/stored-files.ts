import type { ToolContent } from 'ai';
import { mapped } from './mapped.ts';

/**
 * A result without files that another provider stores, for which the package would throw.
 *
 * @param keys of this provider's files
 */
export function withoutFilesStoredElsewhere(
  part: ToolContent[number],
  keys: readonly string[],
  onLeftOut: (part: { readonly type: string }) => void,
): ToolContent[number] {
  if (part.type !== 'tool-result' || part.output.type !== 'content') return part;
  const value = mapped(part.output.value, (item) => {
    if (item.type !== 'file' || item.data.type !== 'reference') return item;
    const { reference } = item.data;
    if (keys.some((key) => Object.hasOwn(reference, key))) return item;
    onLeftOut(item);
    return {
      type: 'text' as const,
      text: `[A file (${item.mediaType}) is left out: another provider stores it.]`,
    };
  });
  return value === part.output.value ? part : { ...part, output: { ...part.output, value } };
}
