import { createRequire } from 'node:module';

/** Modules of a checkout, straight from their source. @param {URL} checkout ends with a slash */
export async function loadOldVersion(checkout) {
  const load = (path) => import(new URL(path, checkout).href);
  const require = createRequire(new URL('package.json', checkout));
  const [flow, views, store, testing, bidi, migrations, plugin] = await Promise.all([
    load('lib/flow/index.ts'),
    load('lib/views/index.ts'),
    load('lib/stores/index.ts'),
    load('lib/testing/index.ts'),
    load('lib/bidi/client.ts'),
    load('lib/stores/postgres/migrations.ts'),
    load('lib/plugins/remembered/index.ts'),
  ]);
  return {
    ...flow,
    ...views,
    ...store,
    ...testing,
    ...bidi,
    ...plugin,
    migrations: migrations.migrations,
    require,
  };
}
