import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { onEnd } from './run.mjs';
import { prepareToolchain } from './toolchain.mjs';

/**
 * `npm run dev`: runs the app with hot reload. Next reloads pages and routes. Changes to the server process (the
 * engine, the WebSocket, the tools) restart it.
 */
const held = ['lib', 'app/_server', 'app/_tools', 'app/_model', 'app/_mcp', 'app/_data', 'server.ts'];
const quietMilliseconds = 300;

const { node, env } = await prepareToolchain();
let server = serve();
let leaving = false;
/** @type {NodeJS.Timeout | undefined} */
let timer;

for (const path of held.filter((path) => existsSync(path))) {
  watch(path, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(restart, quietMilliseconds);
  });
}

onEnd((signal) => {
  leaving = true;
  if (server.exitCode !== null) process.exit(0);
  server.kill(signal);
});

function serve() {
  const child = spawn(node, ['-C', 'countersign-source', 'server.ts'], {
    env: { ...process.env, ...env, NODE_ENV: 'development' },
    stdio: 'inherit',
  });
  child.once('exit', (code) => {
    if (child.killed && !leaving) server = serve();
    else if (leaving || code === 0) process.exit(code ?? 1);
    else console.error('The server exited. It restarts when a file changes.');
  });
  return child;
}

function restart() {
  if (leaving) return;
  console.log('The engine changed. Restarting.');
  if (server.exitCode === null) server.kill('SIGTERM');
  else server = serve();
}
