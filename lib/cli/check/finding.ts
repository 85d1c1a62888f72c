import type { UIMessageChunk } from 'ai';

/**
 * What was found out about one rule. `differs`: not as the protocol requires, but it misleads no client.
 * `not-observed`: nothing could be seen, which is no `pass`.
 */
export type Status = 'pass' | 'fail' | 'differs' | 'not-observed';

/** The rules that a check names. */
export type CheckedRule = `T${number}` | 'H1' | 'H2' | 'H3';

/** Where something was seen, and the chunks that show it. */
export type Evidence = {
  /** Such as `"Pay Alice 30", response 2`. */
  readonly where: string;
  readonly message: string;
  readonly chunks: readonly UIMessageChunk[];
};

/** One line of the report. A rule may have several, each for another thing that was tried. */
export type Finding = {
  readonly wire: 'SSE' | 'BIDI';
  readonly rule: CheckedRule;
  /** What the rule asks for, in a sentence without its full stop. */
  readonly title: string;
  readonly status: Status;
  /** What was seen, or why nothing was. */
  readonly note?: string;
  readonly evidence: readonly Evidence[];
};

/** What a group of rules gives: findings without the wire they were made on. */
export type Found = Omit<Finding, 'wire' | 'evidence'> & { readonly evidence?: readonly Evidence[] };
