import { parseArgs } from 'node:util';
import { type Remember, rememberSchema } from '../../protocol/wire/remember.ts';
import { printable, UsageError } from '../command.ts';
import { serverOptions } from './server.ts';

/** The usage text of `approvals`. */
export const approvalsUsage = `  countersign approvals list [--state <state | settled>]
  countersign approvals show <id>
  countersign approvals approve <id> [--option <id> | --edit | --value <json>] [--reason <text>] [--remember <chat | me>[:tool]] [--digest <digest>] [--yes]
  countersign approvals deny <id> [--option <id>] [--reason <text>] [--digest <digest>]
  countersign approvals watch
      [--url <https://app.example.com>] [--key <key>] [--json]

  Reads and answers the questions of a running server. --url: its address, by default COUNTERSIGN_URL. The API key of a user
  is in COUNTERSIGN_KEY; use --key only where nobody else can list processes.
  --option: one of the options that show lists. --value: the answer to a question that is a form, as JSON. --edit opens the
  arguments, or that answer, in VISUAL or EDITOR. --remember covers the same arguments, or with :tool all calls of the tool.
  --digest: the "shown digest" of an earlier show; if anything has changed since, nothing is answered. --yes: no
  confirmation. A high risk needs one, or --yes. --json: one object, or one for each line of watch.
  Exit code: 0 done, 1 refused or failed, 2 wrong arguments, 3 no such question, 4 already decided, 5 changed since it was
  shown, 6 not allowed.`;

/** What `approvals` is called with. */
export type ApprovalsOptions = {
  readonly action: Action;
  /** Of the question; empty for `list` and `watch`. */
  readonly id: string;
  readonly url?: string;
  readonly key?: string;
  readonly json: boolean;
  readonly state?: string;
  readonly reason?: string;
  readonly remember?: Remember;
  readonly digest?: string;
  /** The id of an option of the question. */
  readonly option?: string;
  /** What the person filled in, as JSON. */
  readonly value?: string;
  readonly edit: boolean;
  readonly yes: boolean;
};

/** @throws UsageError */
export function parseApprovalsOptions(args: readonly string[]): ApprovalsOptions {
  const { values, positionals } = withUsage(() =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...serverOptions,
        json: { type: 'boolean', default: false },
        state: { type: 'string' },
        reason: { type: 'string' },
        remember: { type: 'string' },
        digest: { type: 'string' },
        option: { type: 'string' },
        value: { type: 'string' },
        edit: { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
      },
    }),
  );
  const [action = '', id = '', ...more] = positionals;
  if (!isAction(action)) throw new UsageError(`Give one of: ${Object.keys(optionsOf).join(', ')}.`);
  const needsId = action !== 'list' && action !== 'watch';
  if ((id !== '') !== needsId || more.length > 0) {
    throw new UsageError(needsId ? `Give the id of one question: ${action} <id>.` : `${action} takes no id.`);
  }
  const own: readonly string[] = optionsOf[action];
  for (const [name, value] of Object.entries(values)) {
    const isUsed = shared.includes(name) || own.includes(name);
    if (!isUsed && value !== false && value !== undefined)
      throw new UsageError(`${action} takes no --${name}.`);
  }
  const { remember, ...rest } = values;
  return { ...rest, action, id, remember: remember === undefined ? undefined : rememberOf(remember) };
}

const shared: readonly string[] = ['url', 'key', 'json'];

/** Options of each action, besides those of all. */
const optionsOf = {
  list: ['state'],
  show: [],
  approve: ['reason', 'remember', 'digest', 'edit', 'option', 'value', 'yes'],
  deny: ['reason', 'digest', 'option', 'yes'],
  watch: [],
} satisfies Readonly<Record<string, readonly string[]>>;

type Action = keyof typeof optionsOf;

function isAction(name: string): name is Action {
  return Object.hasOwn(optionsOf, name);
}

function rememberOf(text: string): Remember {
  const [scope, match = 'exact-arguments', ...more] = text.split(':');
  const { data } = rememberSchema.safeParse({ scope, match });
  if (data && more.length === 0) return data;
  throw new UsageError(`--remember is chat, me, chat:tool or me:tool, not ${printable(text)}.`);
}

/** Turns a refusal of arguments into a usage error. */
function withUsage<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
