/**
 * The rejected sweep: each instance withdraws a question whose digest is not its own, and asks it again as its own.
 *
 * @param sweeps the digests of the instances, in the order in which they sweep
 * @returns how often the question was asked again
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
