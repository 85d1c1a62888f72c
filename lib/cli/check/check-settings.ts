import { parseArgs } from 'node:util';
import type { Release } from '../../protocol/index.ts';
import { printable, UsageError } from '../command.ts';
import type { Bounds } from './budget.ts';
import type { CheckedDialect } from './dialects/checked-dialect.ts';
import { dialectList } from './dialects/dialect-list.ts';
import type { ClientTools } from './turns/turn.ts';

/** The settings of a check. */
export type CheckSettings = {
  readonly url: string;
  readonly bidi: string | undefined;
  readonly dialect: CheckedDialect | undefined;
  readonly prompts: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly release: Release;
  readonly clientTools: ClientTools;
  readonly bounds: Bounds;
  readonly json: boolean;
};

const dialectNames = dialectList.map(({ name }) => name).join(', ');

/** Two calls in one step, two calls in sequence, and no question. */
const defaultPrompts: readonly string[] = [
  'Pay Alice 30 and Bob 40',
  'Search and update database',
  'What is the weather in Tokyo?',
];

const releases: readonly Release[] = ['final', 'progressive', 'hold-after-question'];

/** For each transport. */
const defaultBounds: Bounds = { requests: 60, milliseconds: 60_000, requestMilliseconds: 15_000 };

/** The usage text of `check`. */
export const checkUsage = `  countersign check <http://…/api/chat> [--bidi <ws://…>] [--prompt <text>]… [--header 'name: value']…
      [--client-tool <name>=<json>]… [--release final | progressive | hold-after-question]
      [--max-requests <n>] [--max-seconds <n>] [--json]
  countersign check --dialect <name> <http://…> [--prompt <text>]… [--header 'name: value']…

  Checks a chat backend against the protocol as a client would, and reports each rule. It approves what the backend
  asks, and tries to make calls run twice. Use it on a system whose tools are safe to run.
  --prompt: replaces the built-in prompts; at least one must lead to a question.
  --client-tool: a client-executed tool and its output, such as 'locate={"lat":1}'.
  --dialect: checks one of ${dialectNames} instead; the address is the server's.
  --bidi: the address of its WebSocket, checked after HTTP. --release: the backend's release mode.
  Limits for each transport: ${defaultBounds.requests} requests, ${defaultBounds.milliseconds / 1000} s, and ${defaultBounds.requestMilliseconds / 1000} s for one response.
  Exit code: 0 nothing failed, 1 a rule failed, 2 the check could not be completed.`;

/** Parses the arguments of `check`. @throws UsageError */
export function parseCheckSettings(args: readonly string[]): CheckSettings {
  const { values, positionals } = parse(args);
  const [url, ...more] = positionals;
  if (url === undefined || more.length > 0)
    throw new UsageError('Give one address, such as http://127.0.0.1:3000/api/chat');
  const { bidi, prompt = [], header = [], json = false } = values;
  const dialect = dialectOf(values.dialect);
  if (dialect && (bidi ?? values.release ?? values['client-tool']) !== undefined) {
    throw new UsageError(
      '--dialect goes with --prompt, --header, --max-requests, --max-seconds and --json only.',
    );
  }
  const clientTools = new Map((values['client-tool'] ?? []).map(clientToolOf));
  const release = releases.find((one) => one === (values.release ?? 'final'));
  if (!release) throw new UsageError('--release must be final, progressive or hold-after-question.');
  if (prompt.some((text) => text.trim() === '')) throw new UsageError('A --prompt must not be empty.');
  return {
    url: addressOf(url, ['http:', 'https:']),
    bidi: bidi === undefined ? undefined : addressOf(bidi, ['ws:', 'wss:']),
    dialect,
    prompts: prompt.length > 0 ? prompt : defaultPrompts,
    headers: Object.fromEntries(header.map(headerOf)),
    release,
    clientTools,
    bounds: {
      ...defaultBounds,
      requests: count('--max-requests', values['max-requests'], defaultBounds.requests),
      milliseconds: 1000 * count('--max-seconds', values['max-seconds'], defaultBounds.milliseconds / 1000),
    },
    json,
  };
}

function parse(args: readonly string[]) {
  const one = { type: 'string' } as const;
  const many = { type: 'string', multiple: true } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        bidi: one,
        dialect: one,
        prompt: many,
        header: many,
        'client-tool': many,
        release: one,
        'max-requests': one,
        'max-seconds': one,
        json: { type: 'boolean' },
      },
    });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function dialectOf(name: string | undefined): CheckedDialect | undefined {
  const dialect = dialectList.find((one) => one.name === name);
  if (dialect || name === undefined) return dialect;
  throw new UsageError(`--dialect must be one of ${dialectNames}.`);
}

function addressOf(text: string, protocols: readonly string[]): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && protocols.includes(url.protocol) && url.hash === '') return url.href;
  const wanted = protocols.map((protocol) => `${protocol}//`).join(' or ');
  throw new UsageError(`${printable(text)} is not an address that starts with ${wanted}`);
}

function headerOf(text: string): [string, string] {
  const colon = text.indexOf(':');
  const name = text.slice(0, colon).trim();
  const value = text.slice(colon + 1).trim();
  try {
    if (colon === -1 || value === '') throw new TypeError('A header is incomplete.');
    new Headers([[name, value]]);
    return [name, value];
  } catch (cause) {
    // The value may be a secret, so it is not printed.
    throw new UsageError("A --header looks like 'name: value'.", { cause });
  }
}

function clientToolOf(text: string): [string, unknown] {
  const [name = '', ...output] = text.split('=');
  try {
    if (name === '') throw new TypeError('No name.');
    return [name, JSON.parse(output.join('='))];
  } catch (cause) {
    throw new UsageError(`${printable(text)}: a --client-tool looks like 'locate={"lat":1}'.`, { cause });
  }
}

function count(option: string, text: string | undefined, standard: number): number {
  if (text === undefined) return standard;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`${option} must be an integer above 0.`);
}
