import { isRecord } from '../../protocol/json.ts';
import type { Question } from '../question.ts';
import { readableField } from '../text/readable-field.ts';
import { visibleText } from '../text/visible-text.ts';
import { keyArgument } from './key-argument.ts';
import { charactersApart, skeletonOf } from './skeleton.ts';

const longestValue = 60;

/**
 * How questions with rows that look equal differ, by question id: the first argument that differs, in readable form, with
 * its value if it is short. An argument that differs only in look-alike letters of several scripts comes first, and these
 * letters are named.
 *
 * @param argument combines a name and a value
 * @param differsIn names the argument that differs, if its value is long or has parts
 */
export function differencesBetween(
  questions: readonly Question[],
  { argument, differsIn }: { argument(name: string, value: string): string; differsIn(name: string): string },
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const open = questions.filter(({ state }) => state === 'open');
  for (const alike of groupedBy(open, lookOf)) {
    const name = nameOfDifference(alike);
    if (name === undefined) continue;
    const shown = readableField(visibleText(name));
    for (const question of alike) {
      const value = isRecord(question.input) ? question.input[name] : undefined;
      const text = typeof value === 'object' || value === undefined ? '' : visibleText(String(value));
      const isShort = text !== '' && text.length <= longestValue && !text.includes('\n');
      const own = textOf(question, name);
      const apart = charactersApart(own, lookAlikes(own, alike, name));
      found.set(question.id, (isShort ? argument(shown, text) : differsIn(shown)) + apart);
    }
  }
  return found;
}

/** The argument to show of questions whose rows look equal. */
function nameOfDifference(alike: readonly Question[]): string | undefined {
  const names = new Set(alike.flatMap(({ input }) => (isRecord(input) ? Object.keys(input) : [])));
  const different = [...names].filter((each) => new Set(alike.map((one) => textOf(one, each))).size > 1);
  const hidden = different.find((each) =>
    alike.some((one) => lookAlikes(textOf(one, each), alike, each).length > 0),
  );
  return hidden ?? different[0];
}

/** The other values of an argument that look like this one. */
function lookAlikes(own: string, alike: readonly Question[], name: string): string[] {
  const skeleton = skeletonOf(own);
  return alike
    .map((question) => textOf(question, name))
    .filter((text) => text !== own && skeletonOf(text) === skeleton);
}

/** What a row shows of a question, but for its times. */
function lookOf(question: Question): string {
  return skeletonOf(JSON.stringify([question.description, question.toolName, keyArgument(question)]));
}

function textOf({ input }: Question, name: string): string {
  return JSON.stringify(isRecord(input) ? input[name] : undefined) ?? '';
}

/** The groups of two or more. */
function groupedBy(questions: readonly Question[], keyOf: (question: Question) => string): Question[][] {
  const groups = new Map<string, Question[]>();
  for (const question of questions) {
    const key = keyOf(question);
    const group = groups.get(key);
    if (group) group.push(question);
    else groups.set(key, [question]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}
