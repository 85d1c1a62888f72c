import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMultiplyServer } from './multiply-server.ts';

// The demo's MCP server for any MCP host, over standard input and output: `node app/_mcp/server.ts`.
await createMultiplyServer().connect(new StdioServerTransport());
