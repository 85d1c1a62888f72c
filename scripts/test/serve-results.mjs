import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * Lets other processes wait for gates, on loopback. `GET /<name>` is answered when the gate ends: 204 if it passed, 500 if it
 * failed. 404 if this run does not include it.
 *
 * @param {Map<string, Promise<boolean>>} results
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function serveResults(results) {
  const server = createServer(async ({ url = '/' }, response) => {
    const result = results.get(decodeURIComponent(url.slice(1)));
    response.writeHead(result === undefined ? 404 : (await result) ? 204 : 500).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
