import type { UIMessageChunk } from 'ai';

/**
 * The result for one rule. `differs`: the backend deviates from the protocol, but clients work. `not-observed`: there
 * was no occasion, which does not count as `pass`.
 */
export type Status = 'pass' | 'fail' | 'differs' | 'not-observed';

/**
 * What a failure can lead to, worst first. `unsafe`: a call runs that nobody approved, or runs twice. `lost`: the client misses
 * a part of the message, or cannot continue. `style`: everything arrives, but at another time or in another form.
 */
export type Rank = 'unsafe' | 'lost' | 'style';

/** The rules that a check reports. */
export type CheckedRule = `${'T' | 'A' | 'B' | 'C' | 'D'}${number}` | 'H1' | 'H2' | 'H3';

/** Where something was observed, and the chunks that show it. */
export type Evidence = {
  /** For example `"Pay Alice 30", response 2`. */
  readonly where: string;
  readonly message: string;
  readonly chunks: readonly UIMessageChunk[];
};

/** One line of the report. A rule may have several, one for each thing that was tried. */
export type Finding = {
  /** `SSE`, `BIDI`, or the dialect. */
  readonly wire: string;
  readonly rule: CheckedRule;
  /** What the rule requires, without a full stop. */
  readonly title: string;
  readonly status: Status;
  /** Present on failures. */
  readonly rank?: Rank;
  /** What was observed, or why nothing was. */
  readonly note?: string;
  readonly evidence: readonly Evidence[];
};

/** Findings before the transport is added. */
export type Found = Omit<Finding, 'wire' | 'evidence'> & { readonly evidence?: readonly Evidence[] };
