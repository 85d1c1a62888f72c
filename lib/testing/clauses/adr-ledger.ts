import { readFileSync } from 'node:fs';
import { type Clause, readClauses } from './adr-clauses.ts';

/** Registers a test with a test runner. `test` of Vitest and of `node:test` both fit. */
export type RegisterTest = (title: string, body: () => void | Promise<void>) => unknown;

/** Adds the test of a clause. Each clause has one test. */
export type ClauseTest = (id: string, body: () => void | Promise<void>) => void;

/**
 * Makes `adr(file)` for a test runner. Each clause of the document becomes a test, in the document's order. The tests'
 * bodies come from `clause(id, body)`. A clause without a body is a failing test, and so is a body without a clause, or
 * a second body for one clause.
 *
 * Bodies are looked up when the test runs, so a suite can register them at its top level in any order.
 *
 * @param settings.directory the decisions' folder, with a trailing slash
 * @param settings.title the title of a clause's test; default: the clause's id and its text
 * @throws Error (from `adr(file)`) when the document is missing or its clauses are not sound
 */
export function createAdr(settings: {
  test: RegisterTest;
  directory: URL;
  title?: (clause: Clause) => string;
}): (file: string) => { clause: ClauseTest } {
  const { test, directory, title = ({ id, sentence }) => `${id} ${sentence}` } = settings;
  return function adr(file) {
    const bodies = new Map<string, () => void | Promise<void>>();
    const clauses = readClauses(file, readFileSync(new URL(file, directory), 'utf8'));
    const ids = new Set(clauses.map((clause) => clause.id));
    for (const clause of clauses) {
      const { id } = clause;
      test(title(clause), () => {
        const body = bodies.get(id);
        if (!body) throw new Error(`${file} states ${id}, but no test covers it. Add clause('${id}', …).`);
        return body();
      });
    }
    return {
      clause(id, body) {
        if (!ids.has(id))
          return refuse(
            `${id} has a test, but ${file} does not state it. Add the clause, or remove the test.`,
          );
        if (bodies.has(id)) return refuse(`${id} of ${file} has two tests. Merge them.`);
        bodies.set(id, body);
      },
    };
    function refuse(reason: string): void {
      test(reason, () => {
        throw new Error(reason);
      });
    }
  };
}
