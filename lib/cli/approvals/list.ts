import type { QuestionJson } from '../../protocol/wire/question.ts';
import { span } from './ago.ts';
import { type Paint, styleOfRisk } from './style.ts';
import { shownText } from './terminal-text.ts';

/** Questions as a table. @param now epoch milliseconds */
export function tableOf(questions: readonly QuestionJson[], paint: Paint, now: number): string[] {
  const rows = questions.map((question) => [
    shownText(question.id),
    question.state === 'open' ? span(now - Date.parse(question.requestedAt)) : question.state,
    question.risk ?? '-',
    shownText(question.askedBy.name),
    whatOf(question),
  ]);
  const head = [
    'ID',
    questions.every(({ state }) => state === 'open') ? 'WAITING' : 'STATE',
    'RISK',
    'ASKED BY',
  ];
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => [...(row[column] ?? '')].length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - [...cell].length)))
      .join('  ');
  return [
    paint('dim', line([...head, 'WHAT']).trimEnd()),
    ...rows.map((row, index) => {
      const { risk, mayAnswer } = questions[index] ?? { mayAnswer: true };
      const text = line(row);
      return risk === 'high' ? paint(styleOfRisk(risk), text) : mayAnswer ? text : paint('dim', text);
    }),
  ];
}

/** What a question is about, and how many people have answered it, if it waits for more. */
export function whatOf({ description, answers = [] }: QuestionJson): string {
  const what = shownText(description);
  return answers.length === 0 ? what : `${what} (answers: ${answers.length})`;
}
