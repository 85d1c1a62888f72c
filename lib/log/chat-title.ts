const titleLength = 80;

export function titleOf(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ');
  const line = text.trim().replaceAll(/\s+/g, ' ');
  if (line === '') return 'New chat';
  return line.length <= titleLength ? line : `${line.slice(0, titleLength - 1).trimEnd()}…`;
}
