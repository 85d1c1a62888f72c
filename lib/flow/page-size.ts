import { CountersignError } from '../protocol/index.ts';

const defaultSize = 50;

/** The maximum number of items per page. */
export const largestPage = 200;

/** The number of items per page, capped at the maximum. @throws CountersignError `invalid-request` for a fraction and for NaN */
export function pageSize(limit = defaultSize): number {
  if (!Number.isInteger(limit) && limit !== Number.POSITIVE_INFINITY) {
    throw new CountersignError('invalid-request', '`limit` must be a whole number.');
  }
  return Math.max(1, Math.min(limit, largestPage));
}
