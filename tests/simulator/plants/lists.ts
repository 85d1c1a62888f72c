import type { Plant } from './plant.ts';

/** Bugs where instances have different lists of plugins. */
export const listPlants: readonly Plant[] = [
  {
    name: 'a-run-is-taken-over-without-its-plugins',
    rule: '0056',
    file: 'lib/run/lease/take-over.ts',
    find: 'waiting.get(chatId) ? undefined : missingForTurn(settings, journal.turn)',
    replace: 'missingForTurn({ plugins: settings.plugins }, { calls: new Map() } as never)',
  },
  {
    name: 'an-answer-continues-without-the-gates-of-its-turn',
    rule: '0056',
    file: 'lib/run/local-runs.ts',
    find: 'if (given.task === undefined && isFor',
    replace: 'if (given.task !== undefined && isFor',
  },
  {
    name: 'a-question-is-approved-where-its-plugin-is-missing',
    rule: '0056',
    file: 'lib/commands/answer/steps/plugins.ts',
    find: '[...Object.keys(question.plugins ?? {}), ',
    replace: '[',
  },
  {
    name: 'a-standing-approval-is-used-where-its-plugin-is-missing',
    rule: '0056',
    plugin: 'lib/plugins/remembered/index.ts',
    file: 'lib/run/question/apply-standing.ts',
    find: "import type { Run } from '../run.ts';",
    replace:
      "import { findRemembered } from '../../plugins/remembered/find.ts';\nimport type { Run } from '../run.ts';",
    also: [
      {
        file: 'lib/run/question/apply-standing.ts',
        find: '(settings.plugins ?? []).filter(',
        replace: "[...(settings.plugins ?? []), { name: 'remembered', standing: findRemembered }].filter(",
      },
    ],
  },
  {
    name: 'a-question-is-asked-again-without-its-plugins',
    rule: '0056',
    file: 'lib/commands/answer/ask-again.ts',
    find: 'const due = isWhole ?',
    replace: 'const due = isWhole !== undefined ?',
    also: [
      {
        file: 'lib/commands/outdated/judge-questions.ts',
        find: '    if (missingForTurn(engine.settings, open.turn) !== undefined) return false;\n',
        replace: '',
      },
    ],
  },
];
