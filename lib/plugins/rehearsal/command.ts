import { parseArgs } from 'node:util';
import { type Command, printable, UsageError } from '../../cli/command.ts';
import { loadFlow, loadModule } from '../../cli/load-module.ts';
import { CountersignError } from '../../protocol/errors/errors.ts';
import type { RehearsalMethods } from './methods.ts';
import { parseTime } from './parse-time.ts';
import { rehearsalLines } from './rehearsal-text.ts';
import type { RehearseRequest } from './rehearse.ts';

/** The usage text of `rehearse`. */
export const rehearseUsage = `  countersign rehearse --flow <module> --policy <module> --since <time> [--until <time>] [--examples <n>] [--json]

  Passes the calls in a flow's store through another gate, and reports the calls that it would decide differently. Nothing runs,
  and nothing is written. The module of --flow exports the flow as "flow" and must not start a server. The module of --policy
  exports the gate as "toolApproval", or as its default. Times: 90m, 12h, 30d (before now), or ISO 8601.
  Exit code: 0 the report is complete, 1 the gate failed for a call.`;

const gateFailed = 1;

type Arguments = {
  readonly flow: string;
  readonly policy: string;
  readonly period: Pick<RehearseRequest, 'since' | 'until' | 'examples'>;
  readonly json: boolean;
};

/**
 * Rehearses another gate on past calls, and prints the report.
 *
 * @returns 0 if the report is complete, 1 if the gate failed for a call
 * @throws UsageError for wrong arguments, for a module without the expected export, and for a gate that the flow refuses
 * @source ADR 0046
 */
export const rehearseCommand: Command = async (args, { print }) => {
  const { flow: module, policy, period, json } = parseArguments(args);
  const gate = await loadPolicy(policy);
  const flow = await loadFlow(module);
  try {
    if (!hasRehearsal(flow)) {
      throw new UsageError(
        `The flow of ${printable(module)} lacks a plugin. Add \`rehearsal()\` to its \`plugins\`.`,
      );
    }
    const report = await flow.rehearsal.run({ ...period, policy: gate });
    for (const line of json ? [JSON.stringify(report, null, 2)] : rehearsalLines(report)) print(line);
    return report.rehearsed.failed > 0 ? gateFailed : 0;
  } catch (error) {
    if (!CountersignError.is(error) || error.code === 'internal') throw error;
    throw new UsageError(printable(error.message), { cause: error });
  } finally {
    await flow.close();
  }
};

function hasRehearsal(flow: object): flow is { readonly rehearsal: RehearsalMethods } {
  return 'rehearsal' in flow;
}

async function loadPolicy(path: string): Promise<RehearseRequest['policy']> {
  const module = await loadModule(path);
  const gate = module.toolApproval ?? module.default;
  // The flow checks the rest.
  if (typeof gate === 'function' || (typeof gate === 'object' && gate !== null)) return gate as never;
  throw new UsageError(
    `${printable(path)} does not export a gate. Export an object or a function as \`toolApproval\`.`,
  );
}

const options = {
  flow: { type: 'string' },
  policy: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  examples: { type: 'string' },
  json: { type: 'boolean' },
} as const;

function parseArguments(args: readonly string[]): Arguments {
  const { flow, policy, since, until, examples, json = false } = valuesOf(args);
  if (flow === undefined) throw new UsageError('Name the module that exports the flow: --flow <module>.');
  if (policy === undefined) throw new UsageError('Name the module that exports the gate: --policy <module>.');
  if (since === undefined) throw new UsageError('Give the start of the period: --since <time>.');
  if (examples !== undefined && !/^\d{1,4}$/.test(examples)) {
    throw new UsageError('--examples must be a whole number from 0 to 9999.');
  }
  const now = Date.now();
  const period = {
    since: parseTime(since, '--since', now),
    until: until === undefined ? undefined : parseTime(until, '--until', now),
    examples: examples === undefined ? undefined : Number(examples),
  };
  return { flow, policy, period, json };
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
