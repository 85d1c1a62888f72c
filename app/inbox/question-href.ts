/** The address of the page of one question. */
export function questionHref({ id }: { readonly id: string }): string {
  return `/inbox/${encodeURIComponent(id)}`;
}
