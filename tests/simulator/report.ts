import { invariants } from './invariants/index.ts';
import type { Report } from './run-seeds.ts';

/** How many broken schedules are printed in full, and how many lines of each. */
const shownFailures = 3;
const shownLines = 40;

/** Prints how often each invariant was checked, and how many schedules broke it. */
export function printTable(
  checked: Readonly<Record<string, number>>,
  failures: ReadonlyMap<number, Report>,
): void {
  const broken = new Map<string, number>();
  for (const { violations } of failures.values()) {
    for (const name of new Set(violations.map(({ invariant }) => invariant))) {
      broken.set(name, (broken.get(name) ?? 0) + 1);
    }
  }
  const names = [...new Set([...invariants.map(({ name }) => name), ...broken.keys()])];
  const width = Math.max(...names.map(({ length }) => length));
  console.log(`\n${'invariant'.padEnd(width)}  checked  broken in`);
  for (const name of names) {
    const counts = [checked[name] ?? 0, broken.get(name) ?? 0].map((count) => count.toLocaleString('en'));
    console.log(`${name.padEnd(width)}  ${counts[0]?.padStart(7)}  ${counts[1]?.padStart(9)}`);
  }
}

/** Prints the violations, the end of the trace, and the command that replays the seed. */
export function printFailures(failures: ReadonlyMap<number, Report>): void {
  for (const { seed, violations, trace = [] } of [...failures.values()].slice(0, shownFailures)) {
    console.log(
      `\nSeed ${seed} broke ${violations.length === 1 ? 'a promise' : `${violations.length} promises`}:`,
    );
    for (const { invariant, message } of violations)
      console.log(`  ${invariant}:\n    ${message.slice(0, 1_000)}`);
    console.log(shortTrace(trace, violations.map(({ message }) => message).join(' ')).join('\n'));
    console.log(`Replay it: npm run simulate -- --seed ${seed}`);
  }
  const more = failures.size - shownFailures;
  if (more > 0)
    console.log(
      `\n${more} more: ${[...failures.keys()].slice(shownFailures, shownFailures + 20).join(', ')}`,
    );
}

/** The lines about the chats named in the messages, and the faults in between. */
function shortTrace(trace: readonly string[], messages: string): string[] {
  const chats = new Set(messages.match(/c\d+-\d+/g) ?? []);
  const concerns = trace.filter((line) => {
    const [chat] = /c\d+-\d+/.exec(line) ?? [];
    const isObservation = / look /.test(line);
    return (
      !isObservation &&
      (chat === undefined ? !/ (list|spy) /.test(line) : chats.size === 0 || chats.has(chat))
    );
  });
  const lines = concerns.slice(-shownLines).map((line) => line.slice(0, 160));
  return concerns.length > lines.length
    ? [`       … ${concerns.length - lines.length} lines`, ...lines]
    : lines;
}
