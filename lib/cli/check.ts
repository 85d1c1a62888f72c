import { type Budget, createBudget, processTiming } from './check/budget.ts';
import { CannotCheck } from './check/cannot-check.ts';
import { type CheckReport, countRanks, formatReport, summarize } from './check/check-report.ts';
import { type CheckSettings, parseCheckSettings } from './check/check-settings.ts';
import { checkWire, type WireCheck } from './check/check-wire.ts';
import { checkDialect } from './check/dialects/check-dialect.ts';
import { bidiWire } from './check/wire/bidi-wire.ts';
import { sseWire } from './check/wire/sse-wire.ts';
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
  const runs = runsOf(settings);
  terminal.complain(
    `Checking ${runs.length === 1 ? 'one wire' : 'two wires'}; each within ${bounds.requests} requests and ` +
      `${bounds.milliseconds / 1000} s, ${bounds.requestMilliseconds / 1000} s for one response.`,
  );
  const start = performance.now();
  const checks: WireCheck[] = [];
  let reachedAll = true;
  for (const run of runs) {
    try {
      checks.push(await runWithin(run, settings, terminal));
    } catch (error) {
      if (!(error instanceof CannotCheck)) throw error;
      terminal.complain(`Cannot check ${printable(run.address)}: ${printable(error.message)}`);
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
    dialect: settings.dialect?.name,
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

/** The check of one address. */
type Run = {
  readonly name: string;
  readonly address: string;
  readonly check: (budget: Budget, say: (what: string) => void) => Promise<WireCheck>;
};

function runsOf(settings: CheckSettings): readonly Run[] {
  const { url, bidi, dialect, headers } = settings;
  if (dialect) {
    const check: Run['check'] = (budget, say) => checkDialect(dialect, budget, { ...settings, say });
    return [{ name: dialect.name, address: url, check }];
  }
  const wires = [sseWire(url, headers), ...(bidi === undefined ? [] : [bidiWire(bidi, headers)])];
  return wires.map((wire) => ({
    name: wire.name,
    address: wire.address,
    check: (budget, say) => checkWire(wire, budget, { ...settings, say }),
  }));
}

async function runWithin(
  { name, check }: Run,
  { bounds }: CheckSettings,
  { complain }: Terminal,
): Promise<WireCheck> {
  const budget = createBudget(bounds, processTiming);
  const checked = await check(budget, (what) =>
    complain(`${name} ${budget.used}/${bounds.requests}  ${printable(what)}`),
  );
  if (checked.cutShort !== undefined) complain(`${name} was cut short: ${checked.cutShort}`);
  return checked;
}
