const defaultSize = 50;

/** The most items of one page. */
export const largestPage = 200;

/** How many items a page has, of as many as were asked for. */
export function pageSize(limit = defaultSize): number {
  return Math.max(1, Math.min(limit, largestPage));
}
