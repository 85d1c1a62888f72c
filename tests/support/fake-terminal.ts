import { approvalsCommand } from '../../lib/cli/approvals.ts';
import type { Terminal } from '../../lib/cli/command.ts';

/** A terminal that records what is printed, for commands in this process. */
export function fakeTerminal(given: Partial<Terminal> = {}) {
  const printed: string[] = [];
  const complained: string[] = [];
  const terminal: Terminal = {
    env: {},
    print: (line) => void printed.push(line),
    complain: (line) => void complained.push(line),
    ...given,
  };
  return { terminal, printed, complained };
}

/** Runs `countersign approvals` in this process, as the user of a key. */
export async function runApprovals(
  { url }: { readonly url: string },
  key: string,
  args: readonly string[],
  given: Partial<Terminal> = {},
) {
  const env = { COUNTERSIGN_URL: url, COUNTERSIGN_KEY: key, ...given.env };
  const { terminal, printed, complained } = fakeTerminal({ ...given, env });
  const code = await approvalsCommand(args, terminal);
  return { code, printed, complained, text: printed.join('\n') };
}
