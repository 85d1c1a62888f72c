import type { ChannelSettings, ConfiguredChannels, Environment } from '../_channels/channel.ts';
import { readChannels } from '../_channels/index.ts';
import { peopleFrom } from '../_channels/people.ts';
import { loadSecret } from './secret.ts';

const releases = ['final', 'progressive', 'hold-after-question'] as const;

/** The settings in the environment, validated. @source H-Configuration */
export type Settings = ChannelSettings & {
  /** The folder of the embedded store and the demo's database. */
  readonly dataFolder: string;
  /** Uses Postgres instead of the embedded store. */
  readonly databaseUrl?: string;
  readonly release: (typeof releases)[number];
  /** Requests per minute and principal; 0 means no limit. */
  readonly requestsPerMinute: number;
  /** How many of each one principal may have open at the same time. */
  readonly concurrency: { readonly feeds: number; readonly sockets: number; readonly requests: number };
  /** Bearer keys of users' programs, in the format of `createBearerIdentity`. */
  readonly apiKeys: string;
  /** Origins of other hosts whose pages may use this server. */
  readonly allowedOrigins: readonly string[];
  /** Whether requests directly from this machine act as the local user without a cookie. */
  readonly localUser: boolean;
  /** Whether anybody may sign in by entering a name. The local user always may. */
  readonly demoLogin: boolean;
  readonly channels: ConfiguredChannels;
};

const defaultRequestsPerMinute = 0;
const defaultConcurrency = 100;

/**
 * Reads the environment. Creates the secret on first use if the server listens on this machine only.
 *
 * @throws Error that names the variable and the expected value
 */
export function readSettings(environment: Environment): Settings {
  const dataFolder = environment.COUNTERSIGN_DATA || '.countersign';
  const isLocal = isLoopbackName(environment.HOST || '127.0.0.1');
  const databaseUrl = environment.DATABASE_URL || undefined;
  const url = urlFrom(environment, isLocal);
  const settings = {
    dataFolder,
    databaseUrl,
    url,
    isLocal,
    secret: secretFrom(environment, dataFolder, isLocal && databaseUrl === undefined),
    release: releaseFrom(environment.COUNTERSIGN_RELEASE),
    requestsPerMinute: countFrom(environment.COUNTERSIGN_RATE_LIMIT),
    concurrency: {
      feeds: concurrencyFrom(environment, 'COUNTERSIGN_MAX_FEEDS'),
      sockets: concurrencyFrom(environment, 'COUNTERSIGN_MAX_SOCKETS'),
      requests: concurrencyFrom(environment, 'COUNTERSIGN_MAX_REQUESTS'),
    },
    apiKeys: environment.COUNTERSIGN_API_KEYS ?? '',
    allowedOrigins: originsFrom(environment.COUNTERSIGN_ALLOWED_ORIGINS),
    localUser: localUserFrom(environment.COUNTERSIGN_LOCAL_USER),
    demoLogin: environment.COUNTERSIGN_DEMO_LOGIN === '1',
    people: peopleFrom(environment.COUNTERSIGN_PEOPLE),
  };
  return { ...settings, channels: readChannels(environment, settings) };
}

/** Instances that share a database must share the secret, so only a single local server creates its own. */
function secretFrom(environment: Environment, dataFolder: string, isAlone: boolean): string {
  if (environment.COUNTERSIGN_SECRET) return environment.COUNTERSIGN_SECRET;
  if (isAlone) return loadSecret(dataFolder);
  throw new Error(
    'COUNTERSIGN_SECRET is required with DATABASE_URL, and when HOST is not a loopback address. Set it to 32 random bytes.',
  );
}

/** A link is a credential, so it needs TLS, except on this machine. */
function urlFrom({ COUNTERSIGN_URL: url, HOST, PORT }: Environment, isLocal: boolean): string | undefined {
  const host = HOST === '::1' ? '[::1]' : HOST || '127.0.0.1';
  if (!url) return isLocal ? `http://${host}:${PORT || 3000}` : undefined;
  const { origin = '', protocol = '', hostname = '' } = URL.canParse(url) ? new URL(url) : {};
  if (origin === url && (protocol === 'https:' || isLoopbackName(hostname))) return url;
  throw new Error(
    `COUNTERSIGN_URL is "${url}". It must be the public address of the app, such as https://app.example.com: https, no path.`,
  );
}

function releaseFrom(value: string | undefined): Settings['release'] {
  const release = releases.find((one) => one === (value || 'final'));
  if (release) return release;
  throw new Error(`COUNTERSIGN_RELEASE is "${value}". It must be one of: ${releases.join(', ')}.`);
}

/** Compared with the header Origin as they are, so anything that browsers would write differently never matches. */
function originsFrom(value: string | undefined): string[] {
  const origins = (value ?? '').split(',').flatMap((origin) => origin.trim() || []);
  const isOrigin = (text: string) =>
    !text.includes('*') && URL.canParse(text) && new URL(text).origin === text;
  const wrong = origins.find((origin) => !isOrigin(origin));
  if (wrong === undefined) return origins;
  throw new Error(
    `COUNTERSIGN_ALLOWED_ORIGINS contains "${wrong}". It must be a list of origins such as https://app.example.com, separated by commas: no path, no *.`,
  );
}

function localUserFrom(value: string | undefined): boolean {
  if (!value || value === 'on') return true;
  if (value === 'off') return false;
  throw new Error(`COUNTERSIGN_LOCAL_USER is "${value}". It must be on or off.`);
}

function countFrom(value: string | undefined): number {
  if (!value) return defaultRequestsPerMinute;
  const count = Number(value);
  if (Number.isInteger(count) && count >= 0) return count;
  throw new Error(
    `COUNTERSIGN_RATE_LIMIT is "${value}". It must be a number of requests a minute; 0 means no limit.`,
  );
}

function concurrencyFrom(environment: Environment, name: string): number {
  const value = environment[name];
  if (!value) return defaultConcurrency;
  const count = Number(value);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new Error(
    `${name} is "${value}". It must be an integer of at least 1: how many one user may have open at the same time.`,
  );
}

function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || host.startsWith('127.');
}
