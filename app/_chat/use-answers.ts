/** Who answered a question, and when: epoch milliseconds. `by` is absent for this person, here. */
export type AnswerRecord = { approved: boolean; at: number; by?: string; reason?: string };
