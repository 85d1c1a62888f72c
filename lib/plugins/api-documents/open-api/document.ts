import type { OpenApiPart } from '../../../flow/plugin/open-api.ts';
import type { InstalledPlugin } from '../../../flow/plugin/plugin.ts';
import type { Dialect } from '../../../server/dialect.ts';
import type { JsonSchema } from '../../../server/documents/operations.ts';
import { jsonSchemasOf } from '../json-schema.ts';
import { security, securitySchemes } from '../security.ts';
import { account, health } from './account-paths.ts';
import { approvals } from './approval-paths.ts';
import { chats } from './chat-paths.ts';
import { schemas } from './components.ts';
import { descriptions } from './descriptions.ts';
import { pathsOf } from './paths.ts';
import { kernelTags } from './tags.ts';

/** What the document says about the kernel. */
export const kernelPart: OpenApiPart = {
  paths: { ...chats, ...approvals, ...account, ...health },
  schemas,
  descriptions,
};

/**
 * The OpenAPI 3.1 document of all HTTP endpoints and all event types, generated from the schemas that check the
 * traffic, so that the two cannot drift. `asyncApiDocument` describes the streams and sockets.
 *
 * @param version of the API, as the application counts it
 * @param plugins those of the flow, for their endpoints
 * @param dialects those of the server
 * @source C14
 */
export function openApiDocument({
  title = 'Countersign',
  version,
  plugins = [],
  dialects = [],
}: {
  title?: string;
  version: string;
  plugins?: readonly InstalledPlugin[];
  dialects?: readonly Dialect[];
}) {
  const added = [...plugins, ...dialects].flatMap(({ openApi }) => openApi ?? []);
  const parts = [kernelPart, ...added];
  const jsonSchemaOf = jsonSchemasOf(parts, 'draft-2020-12');
  const named = parts.flatMap((part) => Object.entries(part.schemas));
  return {
    openapi: '3.1.0',
    info: { title, version, description: 'Human approval for tool calls of the AI SDK.' },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: '/', description: 'The server of this document.' }],
    security,
    tags: [...kernelTags, ...added.flatMap(({ tag }) => tag ?? [])],
    paths: pathsOf(parts),
    webhooks: Object.assign({}, ...added.map(({ webhooks }) => webhooks)),
    components: {
      schemas: Object.fromEntries(
        named.map(([name, schema]): [string, JsonSchema] => [name, jsonSchemaOf(schema)]),
      ),
      securitySchemes,
    },
  };
}
