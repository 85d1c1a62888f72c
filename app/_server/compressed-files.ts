import { globSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.js': 'application/javascript; charset=UTF-8',
  '.css': 'text/css; charset=UTF-8',
};

/**
 * Sends scripts and styles as the build compressed them. They are a seventh smaller than what Next compresses for each request.
 *
 * @param folder of the build, `.next`
 * @returns a handler that returns false if it sent nothing: Next sends other files, and those for browsers without Brotli
 */
export function compressedFiles(
  folder: string,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const names = globSync('static/**/*.br', { cwd: folder });
  // Kept, since another build may replace them while this server runs.
  const files = new Map(
    names.map((name) => [`/_next/${name.slice(0, -'.br'.length)}`, readFileSync(join(folder, name))]),
  );
  return ({ url, method, headers }, response) => {
    const path = url?.split('?')[0] ?? '';
    const body = files.get(path);
    const accepted = String(headers['accept-encoding']).split(/[\s,]+/);
    if (body === undefined || method !== 'GET' || !accepted.includes('br')) return false;
    response.writeHead(200, {
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      'content-length': body.length,
      'content-type': types[extname(path)],
      vary: 'Accept-Encoding',
    });
    response.end(body);
    return true;
  };
}
