import type { Evidence } from './finding.ts';

/** Pieces of evidence that say the same of different chunks. */
export type EvidenceGroup = {
  /** The one that is shown for all. */
  readonly example: Evidence;
  readonly count: number;
};

/**
 * Puts together what says the same: other calls, other responses, and the start, deltas and end of one text. A report
 * of twenty lines about one text would hide that two questions were asked at once.
 */
export function groupEvidence(evidence: readonly Evidence[]): EvidenceGroup[] {
  const groups = Object.values(Object.groupBy(evidence, kindOf));
  return groups.flatMap((group = []) => {
    // Of a text, the delta has something to show.
    const example = group.find(({ message }) => /^\w+-delta\b/.test(message)) ?? group[0];
    return example ? [{ example, count: group.length }] : [];
  });
}

function kindOf({ message }: Evidence): string {
  return message
    .replace(/^(text|reasoning)-(start|delta|end)\b/, '$1')
    .replaceAll(/\b(call|block|approval response) \S+/g, '$1');
}
