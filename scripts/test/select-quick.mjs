/** Unit and contract tests that are slow: they start a database server, compilers or commands, or wait like clients. */
const slow =
  /\/(postgres-[^/]*|snippets|api-reference|adr-node-test|check-command[^/]*|verify-audit|two-step-reconnect)\.test\.tsx?$/;

/**
 * The files of `npm run test:quick`, and why it omits the others.
 *
 * @param {readonly string[]} files all
 * @returns {{ files: string[], leftOut: [reason: string, count: number][] }}
 */
export function selectQuick(files) {
  const inQuick = files.filter((file) => /^tests\/(unit|contract)\//.test(file));
  const quick = inQuick.filter((file) => !slow.test(file));
  return {
    files: quick,
    leftOut: [
      ['of other folders than unit and contract', files.length - inQuick.length],
      [
        'that start a database server, compilers or commands, or wait like clients',
        inQuick.length - quick.length,
      ],
    ],
  };
}
