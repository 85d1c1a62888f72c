/** Tells from a denial's reason whether anybody denied. */
export function isWithdrawnByText(reason: string | undefined): boolean {
  return reason === 'superseded' || reason === 'cancelled' || reason === 'expired';
}

/** Tells from an error's beginning whether the outcome is known. */
export function isUnknownByText(error: string): boolean {
  return error.startsWith('outcome-unknown:');
}
