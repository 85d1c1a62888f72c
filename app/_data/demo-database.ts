import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { prepareDemoSchema } from './demo-schema.ts';
import type { DemoUser, UserStatus } from './demo-users.ts';
import { userStatuses } from './demo-users.ts';

const userRow = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string(),
  city: z.string(),
  status: z.enum(userStatuses),
});

const paymentRow = z.object({
  toolCallId: z.string(),
  recipient: z.string(),
  amount: z.number(),
  currency: z.string(),
  at: z.string(),
});

/** One executed payment. `amount` is in whole units of `currency`; `at` is ISO 8601 in UTC. */
export type DemoPayment = Readonly<z.infer<typeof paymentRow>>;

/** Selects users: `query` is searched in name, email and city. Without either field, all users match. */
export type UserFilter = { readonly query?: string; readonly status?: UserStatus };

/** The demo's tables. Synchronous, like SQLite; each call is one statement. */
export type DemoDatabase = {
  /** The matching users, by id. */
  readonly searchUsers: (filter: UserFilter) => DemoUser[];
  /** Sets the status of every matching user. Returns the number of matches. */
  readonly updateUsers: (filter: UserFilter, status: UserStatus) => number;
  /** Adds one payment. @throws if this key has paid before: it is the table's primary key */
  readonly insertPayment: (idempotencyKey: string, payment: Omit<DemoPayment, 'at'>) => DemoPayment;
  /** The payment made under this key, if any. */
  readonly findPayment: (idempotencyKey: string) => DemoPayment | undefined;
  /** Every executed payment, oldest first. @source H-Demo */
  readonly listPayments: () => DemoPayment[];
  /** Closes the file if it was opened. A later call opens it again. */
  readonly close: () => void;
};

const matching = `(?1 = '' OR name LIKE ?2 ESCAPE '\\' OR email LIKE ?2 ESCAPE '\\' OR city LIKE ?2 ESCAPE '\\')
  AND (?3 = '' OR status = ?3)`;

function matchingValues({ query = '', status = '' }: { query?: string; status?: string }): string[] {
  const text = query.trim();
  // Without escaping, a query of "%" or "_" would match all users.
  return [text, `%${text.replace(/[\\%_]/g, '\\$&')}%`, status];
}

/**
 * The demo tables in `<folder>/demo.sqlite`. Opens and writes nothing before the first call, because build workers
 * import this module.
 *
 * @param now epoch milliseconds; the time of the payments
 */
export function openDemoDatabase(folder: string, now: () => number = Date.now): DemoDatabase {
  let opened: DatabaseSync | undefined;

  function connection(): DatabaseSync {
    if (opened) return opened;
    mkdirSync(folder, { recursive: true });
    const fresh = new DatabaseSync(join(folder, 'demo.sqlite'));
    try {
      prepareDemoSchema(fresh);
    } catch (error) {
      fresh.close();
      throw error;
    }
    opened = fresh;
    return fresh;
  }

  return {
    searchUsers: (filter) =>
      connection()
        .prepare(`SELECT id, name, email, city, status FROM users WHERE ${matching} ORDER BY id`)
        .all(...matchingValues(filter))
        .map((row) => userRow.parse(row)),
    updateUsers: (filter, status) =>
      Number(
        connection()
          .prepare(`UPDATE users SET status = ?4 WHERE ${matching}`)
          .run(...matchingValues(filter), status).changes,
      ),
    insertPayment: (idempotencyKey, { toolCallId, recipient, amount, currency }) => {
      const at = new Date(now()).toISOString();
      connection()
        .prepare(
          'INSERT INTO payments (idempotencyKey, toolCallId, recipient, amount, currency, at) VALUES (?, ?, ?, ?, ?, ?)',
        )
        .run(idempotencyKey, toolCallId, recipient, amount, currency, at);
      return { toolCallId, recipient, amount, currency, at };
    },
    findPayment: (idempotencyKey) => {
      const row = connection()
        .prepare('SELECT toolCallId, recipient, amount, currency, at FROM payments WHERE idempotencyKey = ?')
        .get(idempotencyKey);
      return row && paymentRow.parse(row);
    },
    listPayments: () =>
      connection()
        .prepare('SELECT toolCallId, recipient, amount, currency, at FROM payments ORDER BY rowid')
        .all()
        .map((row) => paymentRow.parse(row)),
    close: () => {
      opened?.close();
      opened = undefined;
    },
  };
}
