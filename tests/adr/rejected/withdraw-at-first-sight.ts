/**
 * The rejected sweep: each instance withdraws a question with another digest than its own, and asks it again.
 *
 * @param sweeps the digests of the instances, in the order in which they sweep
 * @returns the number of times the question was asked again
 */
export function askedBackAndForth(asked: string, sweeps: readonly string[]): number {
  let standing = asked;
  let count = 0;
  for (const own of sweeps) {
    if (own === standing) continue;
    standing = own;
    count += 1;
  }
  return count;
}
