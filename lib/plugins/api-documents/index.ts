export { asyncApiDocument } from './async-api/document.ts';
export { openApiDocument } from './open-api/document.ts';
