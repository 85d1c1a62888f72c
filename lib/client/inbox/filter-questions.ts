import type { Question } from '../question.ts';

/** Which questions to show, and in which order. Absent and empty fields match everything. */
export type InboxFilter = {
  /** A tool's name. */
  readonly tool?: string;
  readonly risk?: NonNullable<Question['risk']>;
  /** The id of the person who asked. */
  readonly asker?: string;
  /** How long ago it was asked: within an hour, within 24 hours, or earlier. */
  readonly age?: 'hour' | 'day' | 'older';
  /** All of its words, anywhere in the sentence, the tool, the person or the arguments. */
  readonly text?: string;
  /**
   * Nearest deadline first, or highest risk first; ties, and questions without one, oldest first. Default:
   * oldest first.
   */
  readonly sort?: 'deadline' | 'risk';
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const rankOfRisk = { high: 0, medium: 1, low: 2 } as const;

/**
 * The questions that match a filter, in its order. Linear, plus a sort if one is chosen.
 *
 * @param now epoch milliseconds
 */
export function filterQuestions(
  questions: readonly Question[],
  filter: InboxFilter,
  now: number = Date.now(),
): readonly Question[] {
  const words = (filter.text ?? '').toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const { tool, risk, asker, age, sort } = filter;
  const isFiltering = tool || risk || asker || age || words.length > 0;
  const matching = isFiltering
    ? questions.filter(
        (question) =>
          (!tool || question.toolName === tool) &&
          (!risk || question.risk === risk) &&
          (!asker || question.askedBy?.id === asker) &&
          (!age || ageOf(question, now) === age || (age === 'day' && ageOf(question, now) === 'hour')) &&
          (words.length === 0 || hasAll(question, words)),
      )
    : questions;
  return sort ? [...matching].sort((one, other) => placeOf(one, sort) - placeOf(other, sort)) : matching;
}

/** True if a filter can exclude questions. Sorting alone does not. */
export function isFiltered({ tool, risk, asker, age, text }: InboxFilter): boolean {
  return [tool, risk, asker, age, text?.trim()].some(Boolean);
}

/** Sorting is stable, so questions in equal places keep their order. */
function placeOf({ deadline, risk }: Question, sort: NonNullable<InboxFilter['sort']>): number {
  if (sort === 'risk') return risk ? rankOfRisk[risk] : 3;
  return deadline === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(deadline);
}

function ageOf({ requestedAt }: Question, now: number): NonNullable<InboxFilter['age']> | undefined {
  if (requestedAt === undefined) return undefined;
  const age = now - Date.parse(requestedAt);
  return age <= hourMs ? 'hour' : age <= dayMs ? 'day' : 'older';
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

/** The values of arguments, without their names. */
function valuesOf(input: unknown): string {
  return (JSON.stringify(input) ?? '').replaceAll(/"(?:[^"\\]|\\.)*":/g, '');
}
