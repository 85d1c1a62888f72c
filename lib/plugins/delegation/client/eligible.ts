import type { Person } from '../../../protocol/index.ts';

/** Who may answer an open question, as far as its reader may know: at most 20 people. `othersEligible`: there may be more. */
export type Eligible = {
  readonly eligible: readonly Person[];
  readonly othersEligible?: true | undefined;
};

declare module '../../../flow/plugin/index.ts' {
  interface QuestionPlugins {
    /** Only in the details of a question. @source ADR 0049 */
    readonly delegation?: Eligible;
  }
}
