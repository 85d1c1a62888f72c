import { nodeRuntime } from './node-runtime.ts';
import type { Runtime } from './runtime-port.ts';
import { webRuntime } from './web-runtime.ts';

/** The machine that this code runs on: Node if its modules are there, and web standards otherwise. */
export const runtime: Runtime = nodeRuntime() ?? webRuntime();
