import type { NextConfig } from 'next';
import manifest from './package.json' with { type: 'json' };

/**
 * The app imports the library by its doors (`countersign/sse`), as its users do, and gets the source.
 * Turbopack knows no custom export conditions, so the doors of package.json become aliases.
 */
const doors = Object.fromEntries(
  Object.entries(manifest.exports).map(([door, targets]) => [
    door.replace('.', manifest.name),
    targets['countersign-source'],
  ]),
);

/** What the browser does not need. */
const notInPages = { '@ai-sdk/gateway': { browser: './app/_frame/no-gateway.ts' } };

const config: NextConfig = {
  poweredByHeader: false,
  // A folder above may hold another lock file; the project ends here.
  turbopack: { root: import.meta.dirname, resolveAlias: { ...doors, ...notInPages } },
  // The server listens on an address, people type a name: both are this machine.
  allowedDevOrigins: ['127.0.0.1', 'localhost'],
  // tsc checks the types of everything (`npm test`). Next rewrites the tsconfig it reads: it has its own.
  typescript: { ignoreBuildErrors: true, tsconfigPath: 'tsconfig.next.json' },
  agentRules: false,
  experimental: {
    agentUpgrade: false,
    // Fewer and larger files than by default, because Brotli finds more repetition in them. In bytes of source.
    turbopackChunking: { minChunkSize: 200_000, maxMergeChunkSize: 2_000_000 },
  },
};

export default config;
