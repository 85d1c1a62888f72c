/** How many people must answer a question. Absent `denials`: one denial settles it. @source ADR 0047 */
export type QuestionVotes = { readonly needed: number; readonly denials?: number };

declare module '../../../flow/plugin/index.ts' {
  interface QuestionPlugins {
    /** Present if the question needs the answers of several people. @source ADR 0047 */
    readonly votes?: QuestionVotes;
  }
}
