/**
 * The command that runs only one test. Global setups build what the test needs.
 *
 * @param {{ file: string, title?: string, isMatrix: boolean }} test `file`: from the project's folder; `title`: of its suites
 * and its own, as `vitest -t` compares it: `the suite > does it`. Without it, the command runs the file
 * @returns {string} for a POSIX shell
 */
export function rerunCommand({ file, title, isMatrix }) {
  const rows = isMatrix ? 'COUNTERSIGN_TESTS=matrix ' : '';
  const pattern = title === undefined ? '' : ` -t ${quoted(`^${escaped(title)}$`)}`;
  return `${rows}npx vitest run ${file}${pattern}`;
}

/** As a part of a regular expression. @param {string} text */
function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** As one argument of a shell. @param {string} text */
function quoted(text) {
  // A dollar sign at the end is one, also within double quotes.
  return /["$`\\!](?!$)/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}
