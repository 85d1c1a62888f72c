import type { CheckReport } from '../../../lib/cli/check/check-report.ts';
import type { Finding, Status } from '../../../lib/cli/check/rules/finding.ts';
import { checkCommand } from '../../../lib/cli/check.ts';

/** What a check printed, and its exit code. */
export type CheckRun = {
  readonly code: number;
  readonly printed: readonly string[];
  readonly complained: readonly string[];
};

/** Runs `countersign check` in this process. */
export async function runCheck(args: readonly string[]): Promise<CheckRun> {
  const printed: string[] = [];
  const complained: string[] = [];
  const code = await checkCommand(args, {
    env: {},
    print: (line) => printed.push(line),
    complain: (line) => complained.push(line),
  });
  return { code, printed, complained };
}

/** Runs it with `--json`, and reads what it printed. */
export async function reportOf(args: readonly string[]): Promise<CheckReport & { readonly code: number }> {
  const { code, printed, complained } = await runCheck([...args, '--json']);
  const [line] = printed;
  if (line === undefined) throw new Error(`There is no report: ${complained.join('\n')}`);
  const report: CheckReport = JSON.parse(line);
  return { ...report, code };
}

/** The rules that have a finding of a status on a wire, each once, in the report's order. */
export function rulesWith(
  { findings }: Pick<CheckReport, 'findings'>,
  status: Status,
  wire: Finding['wire'] = 'SSE',
): string[] {
  const rules = findings.filter((finding) => finding.wire === wire && finding.status === status);
  return [...new Set(rules.map(({ rule }) => rule))];
}

/** What is not as it should be, in short. */
export function unsound({ findings }: Pick<CheckReport, 'findings'>): string[] {
  return findings
    .filter(({ status }) => status === 'fail' || status === 'differs')
    .map(({ wire, rule, status, title, note, evidence }) =>
      [wire, rule, status, title, note, ...evidence.map(({ message }) => message)].join('; '),
    );
}
