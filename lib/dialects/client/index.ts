export { DialectClient, type DialectConnection } from './dialect-client.ts';
export { DialectError, type DialectErrorFacts } from './error.ts';
export { ReadingClient } from './reading-client.ts';
export type { ServerAddress } from './server-request.ts';
