/** As much of a node of HTML as is needed here. */
type Node = {
  readonly type: string;
  readonly tagName?: string;
  properties?: Record<string, unknown>;
  readonly children?: readonly Node[];
};

/**
 * A plugin for the tree of HTML: gives the headings these ids, in order.
 *
 * @param ids one for each heading of the document
 */
export function headingIds(ids: readonly string[]) {
  return () => (tree: Node) => {
    let next = 0;
    const visit = (node: Node): void => {
      if (/^h[1-6]$/.test(node.tagName ?? '')) {
        node.properties = { ...node.properties, id: ids[next] };
        next += 1;
      }
      for (const child of node.children ?? []) visit(child);
    };
    visit(tree);
  };
}
