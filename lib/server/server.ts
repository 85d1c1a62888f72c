export type { Counted, Route } from '../flow/plugin/http.ts';
export { createRateLimit, type RateLimit } from '../rights/rate-limit.ts';
export type { Dialect, Mount, SharedSettings, SocketEndpoint } from './dialect.ts';
export type { AsyncApiPart } from './documents/async-api.ts';
export { errorResponse } from './errors.ts';
export { type GuardSettings, guardRequest } from './guard.ts';
export { type ApiKey, type ApiKeys, userIdOf } from './identity/api-keys.ts';
export type { Authorize } from './identity/authorize.ts';
export { createBearerIdentity, formerKeyIds } from './identity/bearer-keys.ts';
export type { CookieIdentity, CookieIdentitySettings } from './identity/cookie-identity.ts';
export { createCookieIdentity } from './identity/cookie-identity.ts';
export { deriveKey } from './identity/derive-key.ts';
export {
  type ConcurrencyLimit,
  type ConcurrencySettings,
  createConcurrencyLimit,
} from './limits/concurrency-limit.ts';
export { type ConnectionLimit, createConnectionLimit } from './limits/connection-limit.ts';
export type { CallOptionsOf } from './requests/call-options.ts';
export { readJson } from './requests/read-json.ts';
export type { ServerSettings } from './route.ts';
export { createSessionHandlers, type SessionHandlerSettings } from './routes/sessions.ts';
