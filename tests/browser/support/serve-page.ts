import { resolve } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { build } from 'vite';

const root = resolve(import.meta.dirname, '../../..');
const origin = 'http://page.test';
const types = { html: 'text/html', js: 'text/javascript', css: 'text/css' } as const;

/**
 * Bundles a module of this folder as a page of its own.
 *
 * @param entry its file name
 * @returns serves the page in a context, and returns its address. It needs no server, but may be a page of one: then the
 *   server gets the other requests
 */
export async function bundlePage(
  entry: string,
): Promise<(context: BrowserContext, server?: string) => Promise<string>> {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'error',
    // Vitest's own environment would make it a development build.
    mode: 'production',
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      modulePreload: false,
      rollupOptions: { input: resolve(import.meta.dirname, entry) },
    },
  });
  const files = new Map(
    [result]
      .flat()
      .flatMap((each) => ('output' in each ? each.output : []))
      .map((file) => [`/${file.fileName}`, String(file.type === 'chunk' ? file.code : file.source)]),
  );
  const names = [...files.keys()];
  const script = names.find((name) => name.includes(entry.replace(/[.]tsx?$/, '')) && name.endsWith('.js'));
  const styles = names.filter((name) => name.endsWith('.css'));
  files.set(
    '/',
    `<!doctype html><html lang="en"><head><title>Page</title>
    <meta name="viewport" content="width=device-width">
    ${styles.map((name) => `<link rel="stylesheet" href="${name}">`).join('')}
    <style>:root { color-scheme: light dark; font-family: sans-serif } body { margin: 0.5rem }</style></head>
    <body><script type="module" src="${script}"></script></body></html>`,
  );
  return async (context, server) => {
    await context.route(`${server ?? origin}/**`, (route) => {
      const { pathname } = new URL(route.request().url());
      const body = files.get(pathname);
      const extension = pathname === '/' ? 'html' : pathname.endsWith('.css') ? 'css' : 'js';
      if (body === undefined && server !== undefined) return route.continue();
      return body === undefined
        ? route.fulfill({ status: 404 })
        : route.fulfill({ body, contentType: types[extension] });
    });
    return `${server ?? origin}/`;
  };
}
