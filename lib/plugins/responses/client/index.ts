export { ResponsesClient, type ResponsesConnection } from './client.ts';
export { type ResponsesClientOptions, ResponsesError } from './error.ts';
export { emptyResponses, openRequest, type ResponsesState, reduceResponseEvent } from './reducer.ts';
export type { ResponseEvent } from './schema/event-schema.ts';
