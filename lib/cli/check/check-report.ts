import { printable } from '../command.ts';
import type { Finding, Rank, Status } from './rules/finding.ts';
import { type EvidenceGroup, groupEvidence } from './rules/group-evidence.ts';

/** The complete result of a check. `--json` prints it. */
export type CheckReport = {
  readonly url: string;
  readonly bidi?: string;
  /** The dialect that was checked, instead of the stream of the AI SDK. */
  readonly dialect?: string;
  readonly summary: Readonly<Record<Status, number>>;
  /** The number of failures by what they can lead to. */
  readonly ranks: Readonly<Record<Rank, number>>;
  /** Whether everything was tried within the limits. */
  readonly complete: boolean;
  readonly requests: number;
  readonly seconds: number;
  /** Of each wire: failures, `unsafe` first, then all others. */
  readonly findings: readonly Finding[];
};

const statusWords: Readonly<Record<Status, string>> = {
  pass: 'pass',
  fail: 'FAIL',
  differs: 'differs',
  'not-observed': 'not observed',
};
const maxGroups = 5;
const maxChunks = 3;

/** The number of findings by status. */
export function summarize(findings: readonly Finding[]): CheckReport['summary'] {
  const count = (status: Status) => findings.filter((finding) => finding.status === status).length;
  return {
    pass: count('pass'),
    fail: count('fail'),
    differs: count('differs'),
    'not-observed': count('not-observed'),
  };
}

/** The number of failures by rank. */
export function countRanks(findings: readonly Finding[]): CheckReport['ranks'] {
  const count = (rank: Rank) => findings.filter((finding) => finding.rank === rank).length;
  return { unsafe: count('unsafe'), lost: count('lost'), style: count('style') };
}

/** The report as text: one line per rule with its evidence below, and a summary as the last line. */
export function formatReport({
  url,
  bidi,
  dialect,
  summary,
  ranks,
  findings,
  requests,
  seconds,
  complete,
}: CheckReport): string[] {
  const lines: string[] = [];
  for (const [wire, address] of [['SSE', url] as const, ['BIDI', bidi] as const, [dialect, url] as const]) {
    const own = findings.filter((finding) => finding.wire === wire);
    if (own.length === 0) continue;
    lines.push(`${wire}  ${printable(address)}`, ...own.flatMap(formatFinding), '');
  }
  const counts = Object.entries(summary).map(([status, count]) => `${count} ${statusOf(status)}`);
  const failures = Object.entries(ranks).flatMap(([rank, count]) => (count > 0 ? `${count} ${rank}` : []));
  if (failures.length > 0) lines.push(`Failures: ${failures.join(', ')}`);
  lines.push(
    `${counts.join(', ')} (${requests} requests, ${seconds} s)${complete ? '' : '; not everything was tried'}`,
  );
  return lines;
}

function statusOf(status: string): string {
  return status === 'not-observed' ? 'not observed' : status;
}

function formatFinding({ rule, status, rank, title, note, evidence }: Finding): string[] {
  const groups = groupEvidence(evidence);
  const hidden = groups.slice(maxGroups).reduce((sum, { count }) => sum + count, 0);
  return [
    `  ${[statusWords[status], rank].join(' ').padEnd(13)} ${rule.padEnd(4)} ${title}`,
    ...(note === undefined ? [] : [`${indent}${printable(note)}`]),
    ...groups.slice(0, maxGroups).flatMap(formatGroup),
    ...(hidden > 0 ? [`${indent}and ${hidden} of other kinds (--json lists all)`] : []),
  ];
}

const indent = ' '.repeat(21);

function formatGroup({ example, count }: EvidenceGroup): string[] {
  const { where, message, chunks } = example;
  const more = chunks.length - maxChunks;
  return [
    `${indent}${printable(where)}: ${printable(message)}`,
    ...chunks.slice(0, maxChunks).map((chunk) => `${indent}  ${printable(chunk)}`),
    ...(more > 0 ? [`${indent}  and ${more} more chunks`] : []),
    ...(count > 1 ? [`${indent}  and ${count - 1} more like it`] : []),
  ];
}
