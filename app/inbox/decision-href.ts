/** The address of the page of one decision. */
export function decisionHref({ id }: { readonly id: string }): string {
  return `/inbox/${encodeURIComponent(id)}`;
}
