import { buildApp } from './build-app.mjs';
import { become } from './run.mjs';
import { prepareToolchain } from './toolchain.mjs';

/** `npm start`: installs what is missing, builds what changed, and serves on http://127.0.0.1:3000 (PORT, HOST). */
const toolchain = await prepareToolchain();
if (!(await buildApp(toolchain))) process.exit(1);
become(toolchain.node, ['-C', 'countersign-source', 'server.ts'], {
  ...toolchain.env,
  NODE_ENV: 'production',
});
