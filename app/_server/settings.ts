import { loadSecret } from './secret.ts';

/** What the environment says, checked. @source contract H, "Configuration" */
export type Settings = {
  /** Folder of the embedded store and of the demo's database. */
  readonly dataFolder: string;
  /** Postgres instead of the embedded store. */
  readonly databaseUrl?: string;
  /** True when the server listens on this machine only. */
  readonly isLocal: boolean;
  readonly secret: string;
  readonly release: 'final' | 'progressive';
  /** Requests a minute and principal; 0 is off. */
  readonly requestsPerMinute: number;
  /** The most that one principal may have open at once. */
  readonly concurrency: { readonly feeds: number; readonly sockets: number; readonly requests: number };
  /** Bearer keys of users' programs, as `createBearerIdentity` takes them. */
  readonly apiKeys: string;
  /** Whether requests straight from this machine act as its user without a cookie. */
  readonly localUser: boolean;
  /** Whether anybody, from anywhere, may sign in by naming themselves. The local user always may. */
  readonly demoLogin: boolean;
};

type Environment = Readonly<Record<string, string | undefined>>;

const defaultRequestsPerMinute = 0;
const defaultConcurrency = 100;

/**
 * Reads the environment. Makes the secret on first use, when the server is for this machine alone.
 *
 * @throws Error that names the variable and says what it should be
 */
export function readSettings(environment: Environment): Settings {
  const dataFolder = environment.COUNTERSIGN_DATA || '.countersign';
  const isLocal = isLoopbackName(environment.HOST || '127.0.0.1');
  const databaseUrl = environment.DATABASE_URL || undefined;
  return {
    dataFolder,
    databaseUrl,
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
    localUser: localUserFrom(environment.COUNTERSIGN_LOCAL_USER),
    demoLogin: environment.COUNTERSIGN_DEMO_LOGIN === '1',
  };
}

/** Instances that share a database must share the secret too, so only a lone local server makes its own. */
function secretFrom(environment: Environment, dataFolder: string, isAlone: boolean): string {
  if (environment.COUNTERSIGN_SECRET) return environment.COUNTERSIGN_SECRET;
  if (isAlone) return loadSecret(dataFolder);
  throw new Error(
    'COUNTERSIGN_SECRET is required with DATABASE_URL, and when HOST is not a loopback address. Give it 32 random bytes.',
  );
}

function releaseFrom(value: string | undefined): Settings['release'] {
  if (!value || value === 'final') return 'final';
  if (value === 'progressive') return value;
  throw new Error(`COUNTERSIGN_RELEASE is "${value}". It is either final or progressive.`);
}

function localUserFrom(value: string | undefined): boolean {
  if (!value || value === 'on') return true;
  if (value === 'off') return false;
  throw new Error(`COUNTERSIGN_LOCAL_USER is "${value}". It is either on or off.`);
}

function countFrom(value: string | undefined): number {
  if (!value) return defaultRequestsPerMinute;
  const count = Number(value);
  if (Number.isInteger(count) && count >= 0) return count;
  throw new Error(`COUNTERSIGN_RATE_LIMIT is "${value}". It is a number of requests a minute; 0 is off.`);
}

function concurrencyFrom(environment: Environment, name: string): number {
  const value = environment[name];
  if (!value) return defaultConcurrency;
  const count = Number(value);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new Error(
    `${name} is "${value}". It is a whole number of at least 1: how many one user may have open at once.`,
  );
}

function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || host.startsWith('127.');
}
