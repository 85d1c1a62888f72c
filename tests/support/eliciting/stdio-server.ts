import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { reserveServer } from './reserve-server.ts';

// A process of its own, which ends with its standard input.
await reserveServer().server.connect(new StdioServerTransport());
