export { createFetchHandler, type FetchHandlerSettings } from './fetch-handler.ts';
export { createSseHandlers, type SseSettings } from './handlers.ts';
