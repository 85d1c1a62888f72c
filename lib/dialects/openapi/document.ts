import type { InstalledPlugin } from '../../flow/plugin/plugin.ts';
import { componentSchemas } from './components.ts';
import { pathsWith } from './paths.ts';
import { security, securitySchemes } from './security.ts';
import { documentTags } from './tags.ts';

/**
 * The OpenAPI 3.1 document of all HTTP endpoints and all event types, generated from the schemas that check the
 * traffic, so that the two cannot drift. `asyncApiDocument` describes the streams and sockets.
 *
 * @param version of the API, as the application counts it
 * @param plugins those of the flow, for their endpoints
 * @source C14
 */
export function openApiDocument({
  title = 'Countersign',
  version,
  plugins = [],
}: {
  title?: string;
  version: string;
  plugins?: readonly InstalledPlugin[];
}) {
  const parts = plugins.flatMap(({ openApi }) => openApi ?? []);
  const paths = pathsWith(parts.flatMap((part) => Object.entries(part.paths)));
  return {
    openapi: '3.1.0',
    info: { title, version, description: 'Human approval for tool calls of the AI SDK.' },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: '/', description: 'The server of this document.' }],
    security,
    tags: documentTags(),
    paths,
    webhooks: Object.assign({}, ...parts.map((part) => part.webhooks)),
    components: {
      schemas: componentSchemas(Object.assign({}, ...parts.map((part) => part.schemas))),
      securitySchemes,
    },
  };
}
