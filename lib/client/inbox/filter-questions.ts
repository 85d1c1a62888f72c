import type { Question } from '../question.ts';

/** Which questions to show. Absent and empty fields match everything. */
export type InboxFilter = {
  /** A tool's name. */
  readonly tool?: string;
  readonly risk?: NonNullable<Question['risk']>;
  /** The id of the person who asked. */
  readonly asker?: string;
  /** All of its words, anywhere in the sentence, the tool, the person or the arguments. */
  readonly text?: string;
};

/** The questions that match a filter, in their order. Linear. */
export function filterQuestions(questions: readonly Question[], filter: InboxFilter): readonly Question[] {
  const words = (filter.text ?? '').toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const { tool, risk, asker } = filter;
  if (!tool && !risk && !asker && words.length === 0) return questions;
  return questions.filter(
    (question) =>
      (!tool || question.toolName === tool) &&
      (!risk || question.risk === risk) &&
      (!asker || question.askedBy?.id === asker) &&
      (words.length === 0 || hasAll(question, words)),
  );
}

function hasAll(
  { description, title, toolName, askedBy, input }: Question,
  words: readonly string[],
): boolean {
  const text = [description, title, toolName, askedBy?.name ?? '', valuesOf(input)]
    .join('\n')
    .toLocaleLowerCase();
  return words.every((word) => text.includes(word));
}

/** The values of some arguments, without the names that their tool gives them. */
function valuesOf(input: unknown): string {
  return (JSON.stringify(input) ?? '').replaceAll(/"(?:[^"\\]|\\.)*":/g, '');
}
