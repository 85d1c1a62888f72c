import type { Evidence } from './finding.ts';

/** Pieces of evidence with the same message about different chunks. */
export type EvidenceGroup = {
  /** The piece that is printed for the group. */
  readonly example: Evidence;
  readonly count: number;
};

/**
 * Groups evidence with the same message: about other calls, other responses, and the start, deltas and end of
 * one text. Twenty lines about one text would hide that two questions were asked at the same time.
 */
export function groupEvidence(evidence: readonly Evidence[]): EvidenceGroup[] {
  const groups = Object.values(Object.groupBy(evidence, kindOf));
  return groups.flatMap((group = []) => {
    // For a text, the delta shows the most.
    const example = group.find(({ message }) => /^\w+-delta\b/.test(message)) ?? group[0];
    return example ? [{ example, count: group.length }] : [];
  });
}

function kindOf({ message }: Evidence): string {
  return message
    .replace(/^(text|reasoning)-(start|delta|end)\b/, '$1')
    .replaceAll(/\b(call|block|approval response) \S+/g, '$1');
}
