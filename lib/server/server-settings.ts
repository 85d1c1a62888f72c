import { isRecord } from '../protocol/json.ts';
import {
  checkSettings,
  clock,
  func,
  listOf,
  logger,
  object,
  port,
  type SettingCheck,
  text,
  timer,
  unfit,
  wholeNumber,
} from '../protocol/settings.ts';

const basePath: SettingCheck = (value, path) => {
  const isPath = typeof value === 'string' && /^(\/[^/?#]+)*$/.test(value);
  if (!isPath) unfit(path, 'must be a path such as `/api`, without a trailing slash');
};

/** An exact origin: a pattern or a path would never match the header, and would be noticed in production. */
const origin: SettingCheck = (value, path) => {
  const isUrl = typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
  if (isUrl && new URL(value).origin === value && !value.includes('*')) return;
  unfit(path, 'must be one origin as browsers send it, such as `https://app.example.com`: no `*`, no path');
};

const dialect: SettingCheck = (value, path) => {
  if (!isRecord(value) || value.setUp)
    unfit(path, 'must be a dialect; plugins of a flow belong in its settings');
};

/** All server halves share one object of settings, so each accepts those of the others. */
const checks = {
  authorize: func,
  callOptions: func,
  allowedHosts: listOf(text()),
  allowedOrigins: listOf(origin),
  rateLimit: port('take'),
  concurrencyLimit: port('acquire'),
  sessionCheckMs: timer(),
  logger,
  clock,
  basePath,
  keepAliveMs: timer(),
  limits: object({ bodyBytes: wholeNumber(1), messageBytes: wholeNumber(1) }),
  maxOpenRequests: wholeNumber(1),
  maxMessageBytes: wholeNumber(1),
  heartbeatMs: timer(),
  dialects: listOf(dialect),
} as const satisfies Readonly<Record<string, SettingCheck>>;

type ServerSetting = keyof typeof checks;

/** Checks the settings of a server half. @throws CountersignError `invalid-settings` @source ADR 0022 */
export function checkServerSettings(
  factory: string,
  settings: object,
  required: readonly ServerSetting[] = [],
): void {
  checkSettings(factory, settings, checks, ['authorize', ...required]);
}
