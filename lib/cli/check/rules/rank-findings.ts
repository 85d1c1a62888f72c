import type { CheckedRule, Finding, Rank } from './finding.ts';

const unsafe: ReadonlySet<CheckedRule> = new Set(['T7', 'T8', 'T12']);
const style: ReadonlySet<CheckedRule> = new Set(['T1', 'T2', 'T6', 'T9']);
const ranks: readonly Rank[] = ['unsafe', 'lost', 'style'];

/**
 * Ranks the failures, by the worst that breaking their rule can lead to, and sorts the findings: failures by rank, then all
 * others; equals by rule. A rank that a finding already has is kept if it failed.
 */
export function rankFindings(findings: readonly Finding[]): Finding[] {
  return findings.map(ranked).sort((a, b) => placeOf(a) - placeOf(b) || byRule(a, b));
}

function ranked({ rank, ...finding }: Finding): Finding {
  return finding.status === 'fail' ? { ...finding, rank: rank ?? rankOf(finding.rule) } : finding;
}

function rankOf(rule: CheckedRule): Rank {
  if (unsafe.has(rule)) return 'unsafe';
  return style.has(rule) ? 'style' : 'lost';
}

function placeOf({ rank }: Finding): number {
  return rank === undefined ? ranks.length : ranks.indexOf(rank);
}

function byRule(a: Finding, b: Finding): number {
  const [groupA = '', groupB = ''] = [a.rule[0], b.rule[0]];
  if (groupA !== groupB) return groupA === 'T' ? -1 : 1;
  return Number(a.rule.slice(1)) - Number(b.rule.slice(1));
}
