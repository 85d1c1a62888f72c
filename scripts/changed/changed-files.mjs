import { execFileSync } from 'node:child_process';

/**
 * The files that differ from a revision, with those that Git does not know yet, and those that were deleted.
 *
 * @param {string} folder of the repository
 * @param {string} revision such as `HEAD` or `main`
 * @returns {string[]} paths from that folder
 * @throws Error with what Git says, such as that it does not know the revision
 */
export function changedFiles(folder, revision) {
  const options = { cwd: folder, encoding: 'utf8', stdio: 'pipe' };
  const git = (...args) => execFileSync('git', args, options).split('\0');
  // Without detection of renames: the old name is changed, too.
  const known = git('diff', '--name-only', '--no-renames', '-z', revision, '--');
  const added = git('ls-files', '--others', '--exclude-standard', '-z');
  return [...new Set([...known, ...added])].filter(Boolean).sort();
}
