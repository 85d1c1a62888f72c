import type { Dialect } from '../../../server/dialect.ts';
import type { AsyncApiPart } from '../../../server/documents/async-api.ts';
import { jsonSchemasOf } from '../json-schema.ts';
import { kernelPart as openApiOfKernel } from '../open-api/document.ts';
import { securitySchemes } from '../security.ts';
import { channelsOf, operationsOf } from './channels.ts';
import { kernelPart } from './kernel-part.ts';
import { componentMessages } from './messages.ts';

const { bearer, session } = securitySchemes;

/** The default address of the reference app. */
const host = 'localhost:3000';

/**
 * The AsyncAPI 3 document of all sockets and event streams, generated from the schemas that check the traffic. `send` is what
 * the server sends. `openApiDocument` describes the requests.
 *
 * @param version of the API, as the application counts it
 * @param dialects those of the server
 * @source C14, H3, H11
 */
export function asyncApiDocument({
  title = 'Countersign',
  version,
  dialects = [],
}: {
  title?: string;
  version: string;
  dialects?: readonly Dialect[];
}) {
  const parts = [kernelPart, ...dialects.flatMap(({ asyncApi }) => asyncApi ?? [])];
  const part: AsyncApiPart = {
    groups: Object.assign({}, ...parts.map(({ groups }) => groups)),
    channels: Object.assign({}, ...parts.map(({ channels }) => channels)),
  };
  const described = [openApiOfKernel, ...dialects.flatMap(({ openApi }) => openApi ?? [])];
  const security = Object.keys(securitySchemes).map((name) => ({
    $ref: `#/components/securitySchemes/${name}`,
  }));
  return {
    asyncapi: '3.0.0',
    info: { title, version, description: 'Sockets and event streams of human approval for tool calls.' },
    defaultContentType: 'application/json',
    servers: {
      http: { host, protocol: 'http', description: 'Server-sent events.', security },
      socket: { host, protocol: 'ws', description: 'JSON text frames.', security },
    },
    channels: channelsOf(part),
    operations: operationsOf(part),
    components: {
      messages: componentMessages(part.groups, jsonSchemasOf(described, 'draft-07')),
      securitySchemes: { bearer, session: { ...session, type: 'httpApiKey' } },
    },
  };
}
