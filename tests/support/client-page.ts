import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import type { ClientRow } from './client-rows.ts';
import { rowsOfThisRun } from './matrix.ts';
import type { ClientReport, TaskResult } from './run-client.ts';

const page = 'docs/protocol/clients.md';

/** Whether this run writes the tables, instead of comparing their rows: `npm run docs:clients`. */
const isRecordingClients = process.env.RECORD_CLIENTS === '1';

/** The lines of a client in the page. */
type WrittenRow = { readonly row: string; readonly notes: readonly string[] };

/** A table of the page: its name, and its columns with the task of each. */
export type ClientTable = {
  readonly name: string;
  readonly columns: Readonly<Record<string, string>>;
};

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
function placeOf({ name }: Pick<ClientTable, 'name'>): RegExp {
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
    if (!isRecordingClients) return;
    const head = ['client', ...Object.values(table.columns)];
    const lines = [
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
  });
  return (row, report) => {
    if (isRecordingClients) written.push(writtenRow(table, row, report));
    else expect(rowInPage(table, row)).toEqual(writtenRow(table, row, report));
  };
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
