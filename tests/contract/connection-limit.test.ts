import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createConnectionLimit } from 'countersign/http/server';
import { expect, it, onTestFinished } from 'vitest';
import { ada } from '../support/flow-fixture.ts';

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** A server whose people sign in with the header `x-user`. */
async function served(most: number, respond: Respond = (_request, response) => void response.end('ok')) {
  const limit = createConnectionLimit({
    authorize: ({ headers }) => (headers.get('x-user') === 'ada' ? ada : null),
    most,
  });
  const server = createServer({ keepAliveTimeout: 620_000 }, (request, response) => {
    limit.requested(request, response);
    respond(request, response);
  });
  server.on('connection', limit.opened);
  server.on('upgrade', (request, socket) => {
    limit.requested(request);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: any\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  /** An open connection, and whether the server has closed it. */
  async function open() {
    const accepted = once(server, 'connection');
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    await accepted;
    const closed = once(socket.on('error', () => {}).resume(), 'close');
    let isOpen = true;
    void closed.then(() => {
      isOpen = false;
    });
    return {
      closed,
      isOpen: () => isOpen,
      /** Sends a request and waits for the beginning of its response. */
      async send(headers = '', path = '/') {
        const response = once(socket, 'data');
        socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`);
        return String((await response)[0]);
      },
    };
  }
  return { open, port };
}

async function opened<Connection>(open: () => Promise<Connection>, count: number) {
  const all: Connection[] = [];
  for (let index = 0; index < count; index += 1) all.push(await open());
  return all;
}

/** The port of a server whose process may open this many files and connections. */
async function limitedServer(descriptors: number): Promise<number> {
  const script = fileURLToPath(new URL('./support/limited-server.ts', import.meta.url));
  const node = `ulimit -n ${descriptors}; exec "${process.execPath}" -C countersign-source "${script}"`;
  const child = spawn('sh', ['-c', node], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  return Number(line);
}

it('closes the connection that has been idle longest when there are too many without a person', async () => {
  const { open } = await served(4);
  const [first, second, third, fourth] = await opened(open, 4);
  await first?.send();
  await open();
  await second?.closed;
  await open();
  await third?.closed;
  expect([first?.isOpen(), fourth?.isOpen()]).toEqual([true, true]);
});

it.each([
  ['a request', 'x-user: ada\r\n'],
  ['an upgrade', 'x-user: ada\r\nconnection: upgrade\r\nupgrade: any\r\n'],
])(
  'keeps a connection after %s of a person who is signed in, however long it is idle',
  async (_what, sent) => {
    const { open } = await served(2);
    const person = await open();
    await person.send(sent);
    const idle = await opened(open, 6);
    await Promise.all(idle.slice(0, 4).map(({ closed }) => closed));
    expect(person.isOpen()).toBe(true);
  },
);

it('closes a connection with a request in progress last', async () => {
  const { open } = await served(2, (_request, response) => void response.write('Slow'));
  const busy = await open();
  await busy.send();
  const [first, second] = await opened(open, 2);
  await first?.closed;
  expect([busy.isOpen(), second?.isOpen()]).toEqual([true, true]);
  // Attackers can have requests in progress, too.
  await second?.send();
  const next = await open();
  await next.send();
  await busy.closed;
  expect([second?.isOpen(), next.isOpen()]).toEqual([true, true]);
});

it('gives one client a quarter, unless its requests come through a proxy', async () => {
  const { open } = await served(8);
  const shared = await opened(open, 3);
  for (const connection of shared) await connection.send('x-forwarded-for: 192.0.2.1\r\n');
  const own = await opened(open, 3);
  for (const connection of own) await connection.send();
  await own[0]?.closed;
  expect([...shared, ...own.slice(1)].map(({ isOpen }) => isOpen())).toEqual([true, true, true, true, true]);
});

it('keeps a connection when `authorize` fails, and closes it like any other', async () => {
  const limit = createConnectionLimit({
    authorize: () => {
      throw new Error('The store is down.');
    },
    most: 1,
  });
  let closings = 0;
  const connection = () => ({ destroy: () => (closings += 1), once: () => {}, remoteAddress: '192.0.2.1' });
  const first = connection();
  limit.opened(first);
  limit.requested({ headers: {}, url: '/', socket: first });
  await Promise.resolve();
  expect(closings).toBe(0);
  limit.opened(connection());
  expect(closings).toBe(1);
});

it('lets a signed-in person work while more connections are opened than the process may have', async () => {
  const port = await limitedServer(256);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async () => {
    const [response] = await once(get({ port, agent, headers: { 'x-user': 'ada' } }), 'response');
    await once(response.resume(), 'end');
    return response.statusCode;
  };
  expect(await ask()).toBe(200);
  const attackers = Array.from({ length: 400 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(attackers.slice(0, 300).map((socket) => once(socket.resume(), 'close')));
  expect(await ask()).toBe(200);
  expect(await (await fetch(`http://127.0.0.1:${port}`, { headers: { 'x-user': 'ada' } })).text()).toBe('ok');
  for (const socket of attackers) socket.destroy();
  agent.destroy();
});
