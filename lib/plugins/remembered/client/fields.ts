import type { Remember } from '../../../protocol/wire/remember.ts';

export type { Remember };

declare module '../../../flow/plugin/index.ts' {
  interface AnswerPlugins {
    /** Approves later calls like this one without asking. @source ADR 0015 */
    readonly remembered?: Remember | undefined;
  }
  interface ToolPlugins {
    /** False: each call is asked about, and no approval of this tool is remembered. Default true. @source ADR 0015 */
    readonly remembered?: boolean;
  }
}
