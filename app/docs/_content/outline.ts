/** One heading; `level` 1 is the title. `id` is the anchor that links use, as GitHub makes it. */
export type Heading = { readonly level: number; readonly text: string; readonly id: string };

/** The headings of a Markdown document, in order. Code is passed over. */
export function outlineOf(markdown: string): readonly Heading[] {
  const used = new Map<string, number>();
  const headings: Heading[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    const [, marks, words] = (fence === undefined && /^(#{1,6})\s+(.+?)\s*$/.exec(line)) || [];
    if (marks === undefined || words === undefined) continue;
    const text = words.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
    headings.push({ level: marks.length, text, id: anchorOf(text, used) });
  }
  return headings;
}

/** Anchors that are alike are numbered. */
function anchorOf(text: string, used: Map<string, number>): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
  const times = used.get(plain) ?? 0;
  used.set(plain, times + 1);
  return times === 0 ? plain : `${plain}-${times}`;
}
