import { createBudget, processTiming } from './check/budget.ts';
import { CannotCheck } from './check/cannot-check.ts';
import { type CheckReport, countRanks, formatReport, summarize } from './check/check-report.ts';
import { type CheckSettings, parseCheckSettings } from './check/check-settings.ts';
import { checkWire, type WireCheck } from './check/check-wire.ts';
import { bidiWire } from './check/wire/bidi-wire.ts';
import { sseWire } from './check/wire/sse-wire.ts';
import type { Wire } from './check/wire/wire.ts';
import { type Command, printable, type Terminal } from './command.ts';

const allWell = 0;
const failed = 1;
const couldNotCheck = 2;

/**
 * Checks a live backend against the protocol as a client would, and prints the result of each rule. Progress goes to
 * the error output.
 *
 * @returns 0 if nothing failed, 1 if a rule failed, 2 if the backend could not be checked completely
 * @throws UsageError for wrong arguments
 * @source T1-T16, H1-H3, H10
 */
export const checkCommand: Command = async (args, terminal) => {
  const settings = parseCheckSettings(args);
  const { json, bounds } = settings;
  const wires = wiresOf(settings);
  terminal.complain(
    `Checking ${wires.length === 1 ? 'one wire' : 'two wires'}; each within ${bounds.requests} requests and ` +
      `${bounds.milliseconds / 1000} s, ${bounds.requestMilliseconds / 1000} s for one response.`,
  );
  const start = performance.now();
  const checks: WireCheck[] = [];
  let reachedAll = true;
  for (const wire of wires) {
    try {
      checks.push(await runOn(wire, settings, terminal));
    } catch (error) {
      if (!(error instanceof CannotCheck)) throw error;
      terminal.complain(`Cannot check ${printable(wire.address)}: ${printable(error.message)}`);
      reachedAll = false;
      break;
    }
  }
  if (checks.length === 0) return couldNotCheck;

  const findings = checks.flatMap((check) => check.findings);
  const summary = summarize(findings);
  if (summary.fail === 0 && !checks.some(({ asked }) => asked)) {
    terminal.complain('Cannot check: no prompt led to a question: give --prompt.');
    for (const words of checks.flatMap(({ unasked }) => unasked)) terminal.complain(`  ${printable(words)}`);
    return couldNotCheck;
  }
  const report: CheckReport = {
    url: settings.url,
    bidi: settings.bidi,
    summary,
    ranks: countRanks(findings),
    complete: reachedAll && checks.every(({ cutShort }) => cutShort === undefined),
    requests: checks.reduce((sum, { requests }) => sum + requests, 0),
    seconds: Math.round((performance.now() - start) / 100) / 10,
    findings,
  };
  for (const line of json ? [JSON.stringify(report)] : formatReport(report)) terminal.print(line);
  if (summary.fail > 0) return failed;
  return report.complete ? allWell : couldNotCheck;
};

function wiresOf({ url, bidi, headers }: CheckSettings): readonly Wire[] {
  return [sseWire(url, headers), ...(bidi === undefined ? [] : [bidiWire(bidi, headers)])];
}

async function runOn(wire: Wire, settings: CheckSettings, { complain }: Terminal): Promise<WireCheck> {
  const budget = createBudget(settings.bounds, processTiming);
  const check = await checkWire(wire, budget, {
    ...settings,
    say: (what) => complain(`${wire.name} ${budget.used}/${budget.bounds.requests}  ${printable(what)}`),
  });
  if (check.cutShort !== undefined) complain(`${wire.name} was cut short: ${check.cutShort}`);
  return check;
}
