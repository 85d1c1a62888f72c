import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../lib/stores/sqlite/database.ts';
import { prepareStatements } from '../../lib/stores/sqlite/statements.ts';

const db = openDatabase(':memory:');
afterAll(() => db.close());

/** How SQLite would run a statement: one line a step. */
function planOf(sql: string): string[] {
  const steps = db.prepare(`explain query plan ${sql}`).all();
  return steps.map(({ detail }) => String(detail));
}

/**
 * A scan reads a whole table, a temporary b-tree sorts all that was read: both grow with the store. `page` is limited, and the
 * others have the rows of one call.
 */
const growing = /^SCAN(?! (page|\d+-ROW VALUES CLAUSE)$)|TEMP B-TREE(?! FOR LAST)/;

/** What comes in order but for its last terms is sorted among its equals only. */
const sortsEquals = /TEMP B-TREE FOR LAST/;

describe('the plan of every statement', () => {
  const statements = Object.entries(prepareStatements(db)).flatMap(([name, prepared]) =>
    [prepared].flat().map(({ sourceSQL }) => ({ name, sql: sourceSQL })),
  );

  it.each(statements)('$name finds its rows by an index, already in order', ({ sql }) => {
    expect(planOf(sql).filter((step) => growing.test(step))).toEqual([]);
  });

  it.each(statements)(
    '$name has no numbered parameters, which Node binds differently in each version',
    ({ sql }) => {
      expect(sql).not.toMatch(/\?\d/);
    },
  );

  it.each([
    ['events', '(chat=? AND seq>?)'],
    ['chats', '(owner=? AND second<?)'],
    ['chats', 'questions_by_chat (chat=? AND state=?)'],
    ['staleChats', '(hour<?)'],
    ['sealedChats', '(hour>?)'],
    ['changedChats', '(hour>?)'],
    ['recentCalls', '(digest=? AND at>?)'],
    ['erasedAt', '(chat_id=?)'],
    ['keptRecords', '(at<?)'],
    ['keptRecordsOf', '(chat_id=? AND at<?)'],
    ['dropRecordsOf', '(chat_id=?)'],
    ['dropRecordsBefore', '(at<?)'],
    ['questionsOf', '(owner=? AND state=? AND requested_at>?)'],
    ['questionsOfAll', '(state=? AND requested_at>?)'],
    ['settledOf', '(owner=? AND state=? AND requested_at<?)'],
    ['settledOfAll', '(state=? AND requested_at<?)'],
    ['questionChanges', '(change>?)'],
    ['questionFeed', '(<expr>>?)'],
    ['records', '(plugin=? AND kind=? AND key=?)'],
    ['recordsOf', '(owner=? AND plugin=? AND kind=? AND sort<?)'],
    ['session', '(id=?)'],
    ['sessionsOf', '(person=? AND created_at<?)'],
    ['forgetSessions', '(until<?)'],
    ['orphans', '(lease_until>? AND lease_until<?)'],
  ])('%s begins at its position: %s', (name, begins) => {
    const sql = statements.find((statement) => statement.name === name)?.sql ?? '';
    expect(planOf(sql).join('\n')).toContain(begins);
  });

  it('sorts only chats of one hour, and of one person only those of one second', () => {
    const sorting = statements.filter(({ sql }) => planOf(sql).some((step) => sortsEquals.test(step)));
    expect(sorting.map(({ name }) => name)).toEqual(['chats', 'staleChats', 'sealedChats', 'changedChats']);
  });

  it.each([
    ['scans', "select * from events where body = 'x'"],
    ['sorts', 'select * from chats where owner = ? order by title'],
  ])('reports a statement that %s', (_, sql) => {
    expect(planOf(sql).some((step) => growing.test(step))).toBe(true);
  });

  it.each(['events', 'questions', 'stop_requests', 'records', 'calls'])(
    'erasing finds the %s of a chat by an index',
    (table) => {
      const plan = planOf(`delete from ${table} where chat = ?`);
      expect(plan).toEqual([expect.stringMatching(/^SEARCH/)]);
    },
  );
});
