import { nodeRuntime } from './node-runtime.ts';
import type { Runtime } from './runtime-port.ts';
import { webRuntime } from './web-runtime.ts';

/** The platform on which this code runs: Node if its modules are available, otherwise web standards. */
export const runtime: Runtime = nodeRuntime() ?? webRuntime();
