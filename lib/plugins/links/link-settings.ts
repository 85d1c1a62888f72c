import type { PageForms } from '../../channels/page-form.ts';
import { type Clock, CountersignError, type Principal } from '../../protocol/index.ts';
import {
  anything,
  byKind,
  checkSettings,
  func,
  listOf,
  number,
  port,
  type SettingCheck,
  secret,
  text,
  unfit,
} from '../../protocol/settings.ts';
import { loopbackHosts } from '../../server/guard.ts';
import type { Authorize } from '../../server/identity/authorize.ts';
import type { AnswerLinkWords } from './link-words.ts';

/** Settings of `links`. At least one of `person` and `authorize` is required. */
export type AnswerLinkSettings = {
  /**
   * At least 16 random characters. The keys of links are derived from it. To replace a secret, pass a list: new links use the first
   * one, and links of every listed secret work.
   */
  readonly secret: string | readonly string[];
  /**
   * The public address of the flow's endpoints, without a trailing slash, such as `https://app.example.com/api`. Links lead to
   * `/answer/{token}` there. HTTPS is required, except for loopback addresses.
   */
  readonly baseUrl: string;
  /**
   * Looks up the current name and role of the person named in a link; `null` if that person may no longer use the system. With this
   * setting, a link for a person needs no sign-in: anyone who opens the link acts as that person, for its one question. Without
   * it, the person must be signed in.
   */
  readonly person?: (id: string) => Principal | null | Promise<Principal | null>;
  /** Identifies who is signed in, as for all other routes. Links for a role need it. */
  readonly authorize?: Authorize;
  /** How long a link works, in milliseconds, unless `create` sets another lifetime. One second to 7 days. Default: one hour. */
  readonly lifetimeMs?: number;
  /** The accepted values of the Host header. Default: the host of `baseUrl`. */
  readonly allowedHosts?: readonly string[];
  /** Returns the client's network address, if your proxy reports it. Requests are then also limited for each address. */
  readonly addressOf?: (request: Request) => string | undefined;
  /** Returns the address of the page on which a signed-in person answers. @param approvalId the id of the question */
  readonly inboxUrl?: (approvalId: string) => string;
  /** The address of the page on which people sign in. */
  readonly signInUrl?: string;
  /** Texts of the approval card and of these pages, for example in another language. Default: English. */
  readonly words?: Partial<AnswerLinkWords>;
  /**
   * The forms of questions that need a value: `pageForms()` of `countersign/plugins/forms`. Without them, such a question can only be
   * denied by link.
   */
  readonly forms?: PageForms;
  readonly clock?: Pick<Clock, 'now'>;
};

const hour = 60 * 60 * 1_000;

/** The default lifetime of a link, in milliseconds. */
export const defaultLifetimeMs = hour;

/** One second to seven days. */
const lifetime: SettingCheck = number(1_000, 7 * 24 * hour);

const baseUrl: SettingCheck = (value, path) => {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url !== undefined && `${url.origin}${url.pathname}`.replace(/\/$/, '') === value;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (isPlain && isSafe) return;
  unfit(path, 'must be an address such as `https://app.example.com/api`: https, no query, no trailing slash');
};

function isLoopback(name: string): boolean {
  return loopbackHosts.includes(name) || /^127\.\d+\.\d+\.\d+$/.test(name);
}

const secrets: SettingCheck = (value, path) => {
  byKind({ string: secret, list: listOf(secret) }, 'must be a secret, or a list of secrets')(value, path);
  if (Array.isArray(value) && value.length === 0) unfit(path, 'must contain a secret');
};

const checks = {
  secret: secrets,
  baseUrl,
  person: func,
  authorize: func,
  lifetimeMs: lifetime,
  allowedHosts: listOf(text()),
  addressOf: func,
  inboxUrl: func,
  signInUrl: text(),
  words: anything,
  forms: func,
  clock: port('now'),
} satisfies Record<keyof AnswerLinkSettings, SettingCheck>;

/** @throws CountersignError `invalid-settings` */
export function checkLinkSettings(settings: AnswerLinkSettings): void {
  checkSettings('links', settings, checks, ['secret', 'baseUrl']);
  if (settings.person || settings.authorize) return;
  const message = 'links: Pass `person`, `authorize`, or both. Otherwise, nobody can use a link.';
  throw new CountersignError('invalid-settings', message, { path: 'authorize' });
}

/** @throws CountersignError `invalid-settings` unless the lifetime is a number from one second to seven days, in milliseconds */
export function checkLifetime(lifetimeMs: number): void {
  checkSettings('links.create', { lifetimeMs }, { lifetimeMs: lifetime });
}
