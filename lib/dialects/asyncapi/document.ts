import { securitySchemes } from '../openapi/security.ts';
import { channels, operations } from './channels.ts';
import { componentMessages } from './messages.ts';

const { bearer, session } = securitySchemes;

/** The default address of the reference app. */
const host = 'localhost:3000';

/**
 * The AsyncAPI 3 document of all sockets and event streams, generated from the schemas that check the traffic. `send` is what
 * the server sends. `openApiDocument` describes the requests.
 *
 * @param version of the API, as the application counts it
 * @source C14, H3, H11
 */
export function asyncApiDocument({ title = 'Countersign', version }: { title?: string; version: string }) {
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
    channels: channels(),
    operations: operations(),
    components: {
      messages: componentMessages(),
      securitySchemes: { bearer, session: { ...session, type: 'httpApiKey' } },
    },
  };
}
