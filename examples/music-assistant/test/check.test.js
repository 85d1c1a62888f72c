import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { ToolEventsClient } from 'countersign/plugins/tool-events/client';

/** Runs without a key: then a few rules take the place of the model. */
test('the assistant searches, reads tracks and albums, and says when there are none', async (t) => {
  const { OPENAI_API_KEY: _key, ...environment } = process.env;
  const server = spawn('npm', ['start'], {
    env: { ...environment, PORT: '0', CHATS: ':memory:' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  t.after(() => process.kill(-server.pid));
  const client = new ToolEventsClient({ url: await addressOf(server) });

  const ask = async (text) => {
    for await (const frame of client.send(text)) if (frame.type === 'error') assert.fail(frame.message);
    return [...client.state.invocations.values()].map(({ toolName, summary, error, output }) => ({
      says: `${toolName}: ${summary ?? error}`,
      output,
    }));
  };

  const [calm] = await ask('calm music by the sea');
  assert.match(calm.says, /^semanticSearch: Found \d tracks matching 'calm music by the sea'$/);
  assert.deepEqual(Object.keys(calm.output), ['tracks', 'query', 'totalFound']);

  const [tides] = await ask('by low tides');
  assert.equal(tides.says, "tidalSearch: Found 3 tracks matching 'low tides'");

  const [some] = await ask('tracks trk-1 trk-99');
  assert.equal(some.says, 'batchMetadata: Retrieved metadata for 1 of 2 requested tracks');

  const [album] = await ask('album alb-2');
  assert.equal(album.says, 'albumTracks: 3 tracks of alb-2');

  const [none] = await ask('polka');
  assert.deepEqual(none, { says: "semanticSearch: No tracks found matching 'polka'", output: undefined });
});

function addressOf(server) {
  return new Promise((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`The server ended with code ${code}.`)));
    createInterface({ input: server.stdout }).on('line', (line) => {
      const port = /http:\/\/(?:127[.]0[.]0[.]1|localhost):(\d+)/.exec(line)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
  });
}
