import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleEngine } from './generate/engine.mjs';
import { loadOldVersion } from './generate/old-version.mjs';
import { dumpPostgres, withPostgres } from './generate/postgres.mjs';
import { recordSocket } from './generate/socket.mjs';
import { dumpSqlite, withSqlite } from './generate/sqlite.mjs';
import { liveThrough } from './generate/story.mjs';

/**
 * Records what a version of the library leaves, in a folder:
 *
 *     node --conditions=countersign-source tests/upgrade/make-fixture.mjs path/to/a/checkout path/to/the/folder
 *
 * The checkout needs its `node_modules`.
 */
const [, , checkout, folder] = process.argv;
if (folder === undefined) throw new Error('Name the folder of a checkout, and the folder to write to.');
const root = resolve(checkout);
const old = await loadOldVersion(pathToFileURL(`${root}/`));

const write = (name, text) => writeFileSync(join(folder, name), text);
const asJson = (value) => `${JSON.stringify(value, null, 2)}\n`;
const asLines = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

await withSqlite(old, async ({ open, path, settle }) => {
  write('chats.json', asJson(await liveThrough(old, open)));
  await settle();
  write('sqlite.sql', dumpSqlite(path));
});
await withPostgres(old, async ({ open, query }) => {
  await liveThrough(old, open);
  write('postgres.sql', await dumpPostgres(old, query));
});
write('engine.mjs', await bundleEngine(old, root));
write('frames.ndjson', asLines(await recordSocket(old)));
// Instances that died in the story wait for ever.
process.exit(0);
