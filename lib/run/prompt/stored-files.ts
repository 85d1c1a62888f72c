import type { ToolContent } from 'ai';
import { mapped } from './mapped.ts';

/**
 * A result without files that only other providers store: each is named in a text. The package of a provider throws for a file that
 * is not stored there.
 *
 * @param keys under which the provider stores files
 * @param onLeftOut receives each file that is left out
 * @returns the same part if nothing changes
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
