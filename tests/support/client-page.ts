import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import type { ClientRow } from './client-rows.ts';
import type { ClientTable } from './client-tables.ts';
import { rowsOfThisRun } from './matrix.ts';
import type { ClientReport, TaskResult } from './run-client.ts';

const page = 'docs/protocol/clients.md';

/** What this run writes, instead of comparing its rows: `npm run docs:clients`, also with `-- --python`. */
const recorded = process.env.RECORD_CLIENTS;
const isRecordingClients = recorded === '1';

/** Whether this run executes the clients in Python, and writes their tables. */
export const isRecordingPython = recorded === 'python';

/** The lines of a client in the page. */
type WrittenRow = { readonly row: string; readonly notes: readonly string[] };

/** The lines of a client. Each task that does not work has a note. */
function writtenRow({ columns }: ClientTable, { name }: ClientRow, report: ClientReport): WrittenRow {
  const cells = Object.keys(columns).map((task) => cellOf(report[task]));
  const notes = Object.entries(report)
    .filter(([, { works }]) => !works)
    .map(([task, result]) => `- ${name}, ${columns[task]}: ${reasonOf(result)}`);
  return { row: `| ${[name, ...cells].join(' | ')} |`, notes };
}

/** The lines of a client as its table in the page has them. */
function rowInPage(table: ClientTable, { name }: ClientRow): WrittenRow {
  const lines = placeOf(table).exec(readFileSync(page, 'utf8'))?.[0].split('\n') ?? [];
  return {
    row: lines.find((line) => line.startsWith(`| ${name} |`)) ?? '',
    notes: lines.filter((line) => line.startsWith(`- ${name}, `)),
  };
}

/** A table in the page, with its marks. */
function placeOf({ name }: ClientTable): RegExp {
  return new RegExp(`(<!-- clients: ${name} -->\n)[\\s\\S]*?(<!-- end -->)`);
}

/** The rows to run: all of them while they are recorded. */
export function clientRowsOfThisRun(rows: readonly ClientRow[]): readonly ClientRow[] {
  return isRecordingClients ? rows : rowsOfThisRun(rows, ({ isInstalled }) => isInstalled === true);
}

/**
 * Compares what a client reports with its row in the page. A recording collects the rows instead, and writes them after the last
 * test of the file.
 */
export function tableChecker(table: ClientTable): (row: ClientRow, report: ClientReport) => void {
  const written: WrittenRow[] = [];
  afterAll(() => {
    if (isRecordingClients) writeTable(table, written);
  });
  return (row, report) => {
    if (isRecordingClients) written.push(writtenRow(table, row, report));
    else expect(rowInPage(table, row)).toEqual(writtenRow(table, row, report));
  };
}

/** Writes the table into the page. @param note a paragraph above it */
function writeTable(table: ClientTable, written: readonly WrittenRow[], note?: string): void {
  const head = ['client', ...Object.values(table.columns)];
  const lines = [
    ...(note === undefined ? [] : [note, '']),
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...written.map(({ row }) => row),
  ];
  const notes = written.flatMap((one) => one.notes);
  const body = [...lines, ...(notes.length > 0 ? ['', 'What does not work, and why:', '', ...notes] : [])];
  const text = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    text.replace(placeOf(table), (_, start, end) => `${start}\n${body.join('\n')}\n\n${end}`),
  );
}

/** Collects rows that no test repeats, and writes them with the date after the last test of the file. */
export function tableRecorder(table: ClientTable): (row: ClientRow, report: ClientReport) => void {
  const written: WrittenRow[] = [];
  const today = new Date().toISOString().slice(0, 10);
  afterAll(() => writeTable(table, written, `Run by hand on ${today}; the tests do not repeat these rows.`));
  return (row, report) => void written.push(writtenRow(table, row, report));
}

/** The names of the rows of a table in the page. */
export function namesInPage(table: ClientTable): string[] {
  const text = placeOf(table).exec(readFileSync(page, 'utf8'))?.[0] ?? '';
  return [...text.matchAll(/^\| (`.*?) \|/gm)].map(([, name = '']) => name);
}

/** Some tasks concern only some clients. */
function cellOf(result: TaskResult | undefined): string {
  if (!result) return '';
  return result.works ? 'yes' : 'no';
}

function reasonOf({ reason = '', source }: TaskResult): string {
  // Ids differ from run to run.
  const words = reason.split('\n')[0]?.replaceAll(/\b[a-z]{2,5}_[\w-]*\d[\w.-]{8,}/g, '…') ?? '';
  return source
    ? `${words} (\`${source.package}/${source.file}\`, line ${source.line}: \`${source.code}\`)`
    : words;
}
