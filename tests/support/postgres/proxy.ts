import { connect, createServer, type Socket } from 'node:net';

/** A network fault of the next request that contains a text. */
type Fault = {
  readonly text: string;
  /** `reply`: the server executes the request, and its response is lost. `request`: the request is lost. */
  readonly lose: 'reply' | 'request';
  readonly happened: () => void;
};

/** A faulty network between a store and its server. */
export type PostgresProxy = {
  /** The server's connection string through this proxy. */
  readonly connectionString: string;
  /**
   * Breaks the connection of the next request that contains `text` (a prepared statement's name), with the request or
   * its reply, and refuses connections until `accept`. Resolves when it has happened.
   */
  lose(lost: Fault['lose'], text: string): Promise<void>;
  /** Breaks all connections, and every new one immediately. */
  refuse(): void;
  accept(): void;
  close(): Promise<void>;
};

/** @param connectionString of the server itself, on the loopback interface */
export async function startProxy(connectionString: string): Promise<PostgresProxy> {
  const url = new URL(connectionString);
  const target = { port: Number(url.port), host: url.hostname };
  const sockets = new Set<Socket>();
  let refusing = false;
  let fault: Fault | undefined;

  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const refuse = () => {
    refusing = true;
    for (const socket of sockets) socket.destroy();
  };
  const strike = ({ happened }: Fault) => {
    refuse();
    happened();
  };

  const proxy = createServer((client) => {
    keep(client);
    if (refusing) {
      client.destroy();
      return;
    }
    const server = connect(target);
    keep(server);
    let awaited: Fault | undefined;
    client.on('data', (request) => {
      if (fault && request.includes(fault.text)) {
        awaited = fault;
        fault = undefined;
        if (awaited.lose === 'request') return strike(awaited);
      }
      server.write(request);
    });
    server.on('data', (reply) => {
      if (awaited) strike(awaited);
      else client.write(reply);
    });
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  url.port = String(address.port);

  return {
    connectionString: url.href,
    lose: (lost, text) =>
      new Promise((happened) => {
        fault = { text, lose: lost, happened };
      }),
    refuse,
    accept: () => {
      refusing = false;
    },
    close: async () => {
      refuse();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
