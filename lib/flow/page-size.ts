const defaultSize = 50;

/** The maximum number of items per page. */
export const largestPage = 200;

/** The number of items per page, capped at the maximum. */
export function pageSize(limit = defaultSize): number {
  return Math.max(1, Math.min(limit, largestPage));
}
