import { readFileSync } from 'node:fs';
import { readClauses } from './adr-clauses.ts';

/** Registers a test with a test runner. `test` of Vitest and of `node:test` both fit. */
export type RegisterTest = (title: string, body: () => void | Promise<void>) => unknown;

/** Registers the test of a clause. Each clause has exactly one. */
export type ClauseTest = (id: string, body: () => void | Promise<void>) => void;

/**
 * Creates `adr(file)` for a test runner. Each clause of the document becomes a test, in the document's order, with the
 * clause's sentence as its title. `clause(id, body)` provides the bodies. A clause without a body is a failing test,
 * and so is a body without a clause, or a second body for one clause.
 *
 * Bodies are looked up when the test runs, so a suite can register them at its top level in any order.
 *
 * @param settings.directory the folder of the decisions, with a trailing slash
 * @throws Error (from `adr(file)`) if the document is missing or its clauses are invalid
 */
export function createAdr(settings: {
  test: RegisterTest;
  directory: URL;
}): (file: string) => { clause: ClauseTest } {
  const { test, directory } = settings;
  return function adr(file) {
    const bodies = new Map<string, () => void | Promise<void>>();
    const clauses = readClauses(file, readFileSync(new URL(file, directory), 'utf8'));
    const ids = new Set(clauses.map((clause) => clause.id));
    for (const { id, sentence } of clauses) {
      test(`${id} ${sentence}`, () => {
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
