import { componentSchemas } from './components.ts';
import { paths } from './paths.ts';
import { security, securitySchemes } from './security.ts';
import { documentTags } from './tags.ts';
import { webhooks } from './webhooks.ts';

/**
 * The OpenAPI 3.1 document of all HTTP endpoints and all event types, generated from the schemas that check the
 * traffic, so that the two cannot drift. `asyncApiDocument` describes the streams and sockets.
 *
 * @param version of the API, as the application counts it
 * @source C14
 */
export function openApiDocument({ title = 'Countersign', version }: { title?: string; version: string }) {
  return {
    openapi: '3.1.0',
    info: { title, version, description: 'Human approval for tool calls of the AI SDK.' },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: '/', description: 'The server of this document.' }],
    security,
    tags: documentTags(),
    paths,
    webhooks,
    components: { schemas: componentSchemas(), securitySchemes },
  };
}
