/**
 * Whether a value fits. `unknown`: the engine does not know a pattern (lookaround, backreferences), or the check would take too many
 * steps.
 */
export type Fit = 'fits' | 'unfit' | 'unknown';

/** Whether a value fits all of them. */
export function all(fits: readonly Fit[]): Fit {
  if (fits.includes('unfit')) return 'unfit';
  return fits.includes('unknown') ? 'unknown' : 'fits';
}

/** Whether a value fits at least one of them. */
export function some(fits: readonly Fit[]): Fit {
  if (fits.includes('fits')) return 'fits';
  return fits.includes('unknown') ? 'unknown' : 'unfit';
}

/** Whether a value fits exactly one of them. */
export function one(fits: readonly Fit[]): Fit {
  const certain = fits.filter((fit) => fit === 'fits').length;
  if (certain > 1) return 'unfit';
  if (fits.includes('unknown')) return 'unknown';
  return certain === 1 ? 'fits' : 'unfit';
}

/** Whether a value does not fit. */
export function opposite(fit: Fit): Fit {
  if (fit === 'unknown') return fit;
  return fit === 'fits' ? 'unfit' : 'fits';
}
