/** The backend could not be checked at all. The message says why, and what to do. */
export class CannotCheck extends Error {
  override readonly name = 'CannotCheck';
}
