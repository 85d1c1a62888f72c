/** Rejected: reads from a denial's reason whether a person denied. */
export function isWithdrawnByText(reason: string | undefined): boolean {
  return reason === 'superseded' || reason === 'cancelled' || reason === 'expired';
}

/** Rejected: reads from the start of an error whether the outcome is known. */
export function isUnknownByText(error: string): boolean {
  return error.startsWith('outcome-unknown:');
}
