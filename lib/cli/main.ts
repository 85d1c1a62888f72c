#!/usr/bin/env node
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { mcpCommand } from '../plugins/agent-requests/command/mcp.ts';
import { mcpUsage } from '../plugins/agent-requests/command/options.ts';
import { importCommand, importUsage } from '../plugins/imports/command.ts';
import { rehearseCommand, rehearseUsage } from '../plugins/rehearsal/command.ts';
import { approvalsUsage } from './approvals/options.ts';
import { approvalsCommand } from './approvals.ts';
import { checkUsage } from './check/check-settings.ts';
import { checkCommand } from './check.ts';
import { type Command, printable, type Terminal, UsageError } from './command.ts';
import { pluginsCommand, pluginsUsage } from './remove-plugin.ts';
import { verifyAuditCommand, verifyAuditUsage } from './verify-audit.ts';

const commands: ReadonlyMap<string, { readonly run: Command; readonly usage: string }> = new Map([
  ['approvals', { run: approvalsCommand, usage: approvalsUsage }],
  ['check', { run: checkCommand, usage: checkUsage }],
  ['import', { run: importCommand, usage: importUsage }],
  ['mcp', { run: mcpCommand, usage: mcpUsage }],
  ['plugins', { run: pluginsCommand, usage: pluginsUsage }],
  ['rehearse', { run: rehearseCommand, usage: rehearseUsage }],
  ['verify-audit', { run: verifyAuditCommand, usage: verifyAuditUsage }],
]);

const usageExit = 2;

async function main([name = '', ...args]: readonly string[], terminal: Terminal): Promise<number> {
  const usage = ['usage:', ...[...commands.values()].map((command) => command.usage)].join('\n');
  if (name === '--help' || name === 'help') {
    terminal.print(usage);
    return 0;
  }
  const command = commands.get(name);
  if (!command) {
    terminal.complain(name === '' ? usage : `Unknown command: ${printable(name)}.\n${usage}`);
    return usageExit;
  }
  if (args.includes('--help')) {
    terminal.print(`usage:\n${command.usage}`);
    return 0;
  }
  try {
    return await command.run(args, terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.complain(`${error.message}\nusage:\n${command.usage}`);
    return usageExit;
  }
}

const code = await main(process.argv.slice(2), {
  env: process.env,
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
  isTerminal: process.stdout.isTTY === true,
  /** Only a command that asks for it handles the interrupt itself. */
  get signal() {
    const interrupted = new AbortController();
    process.once('SIGINT', () => interrupted.abort());
    return interrupted.signal;
  },
  prompt: process.stdin.isTTY && process.stderr.isTTY ? prompt : undefined,
});

/** The question is not part of the output, which may be read by a program. */
async function prompt(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // A closed input answers nothing.
  const closed = once(lines, 'close').then(() => '');
  return Promise.race([lines.question(question), closed]).finally(() => lines.close());
}

// An app's module may hold connections open. What was printed is written first.
process.stdout.write('', () => process.exit(code));
