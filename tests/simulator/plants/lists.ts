import { type Plant, patch } from './plant.ts';

/** Bugs where instances have different lists of plugins. */
export const listPlants: readonly Plant[] = [
  {
    name: 'a-run-is-taken-over-without-its-plugins',
    rule: '0056',
    patches: [
      patch(
        'run/lease/take-over.ts',
        'waiting.get(chatId) ? undefined : missingForTurn(settings, journal.turn)',
        'missingForTurn({ plugins: settings.plugins }, { calls: new Map() } as never)',
      ),
    ],
  },
  {
    name: 'an-answer-continues-without-the-gates-of-its-turn',
    rule: '0056',
    patches: [
      patch(
        'run/local-runs.ts',
        'if (given.task === undefined && isFor',
        'if (given.task !== undefined && isFor',
      ),
    ],
  },
  {
    name: 'a-question-is-approved-where-its-plugin-is-missing',
    rule: '0056',
    patches: [patch('commands/answer/steps/plugins.ts', '[...Object.keys(question.plugins ?? {}), ', '[')],
  },
  {
    name: 'a-standing-approval-is-used-where-its-plugin-is-missing',
    rule: '0056',
    patches: [
      patch(
        'run/question/apply-standing.ts',
        "import type { Run } from '../run.ts';",
        "import { findRemembered } from '../../plugins/remembered/find.ts';\nimport type { Run } from '../run.ts';",
      ),
      patch(
        'run/question/apply-standing.ts',
        '(settings.plugins ?? []).filter(',
        "[...(settings.plugins ?? []), { name: 'remembered', standing: findRemembered }].filter(",
      ),
    ],
  },
  {
    name: 'a-question-is-asked-again-without-its-plugins',
    rule: '0056',
    patches: [
      patch('commands/answer/ask-again.ts', 'const due = isWhole ?', 'const due = isWhole !== undefined ?'),
      patch(
        'commands/outdated/judge-questions.ts',
        '    if (missingForTurn(engine.settings, open.turn) !== undefined) return false;\n',
        '',
      ),
    ],
  },
];
