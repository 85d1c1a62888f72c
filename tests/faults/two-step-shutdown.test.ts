import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventSource } from 'eventsource';
import { expect, it, onTestFinished } from 'vitest';
import { readStreamEvent } from '../../lib/plugins/two-step-stream/client/read-message.ts';
import { emptyStreamState, reduceStreamEvent } from '../../lib/plugins/two-step-stream/client/reducer.ts';
import { type StreamEvent, streamEventSchemas } from '../../lib/plugins/two-step-stream/client/schema.ts';
import { startAppServer } from '../support/app-server.ts';
import { prepared } from '../support/prepared.ts';
import { createMovingServer } from './support/dialect-kills/moving-server.ts';

it('an EventSource on the app gets its error at SIGTERM, and resumes at the next process [B15, B17, B19]', async () => {
  await prepared('app build');
  const folder = await mkdtemp(join(tmpdir(), 'countersign-two-step-'));
  const environment = { COUNTERSIGN_DATA: folder, COUNTERSIGN_DEMO_DELAY_MS: '100' };
  const moving = createMovingServer();
  const first = await startAppServer(environment);
  onTestFinished(async () => {
    await first.kill();
    await rm(folder, { recursive: true, force: true });
  });
  moving.moveTo(first.url);
  const started = await moving.fetch(`${moving.url}/api/chat/message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Hello' }),
  });
  const { stream_id, chat_id } = await started.json();
  const source = new EventSource(`${moving.url}/api/chat/stream/${stream_id}`, { fetch: moving.fetch });
  const events: StreamEvent[] = [];
  const begun = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  for (const type of Object.keys(streamEventSchemas)) {
    source.addEventListener(type, (message) => {
      const event = readStreamEvent(message);
      if (!event) return;
      events.push(event as StreamEvent);
      begun.resolve();
      if (type === 'done') done.resolve();
    });
  }
  await begun.promise;
  moving.leave();
  expect(await first.stop()).toMatchObject({ code: 0 });
  const next = await startAppServer(environment);
  onTestFinished(async () => {
    source.close();
    await next.kill();
  });
  moving.moveTo(next.url);
  await done.promise;

  const types = events.map(({ type }) => type);
  expect(types.filter((type) => type === 'error' || type === 'done')).toEqual(['error', 'done']);
  expect(events[types.indexOf('error')]?.data).toEqual({
    tool_call_id: null,
    message: 'assistant stream disconnected',
  });
  const { text, error } = events.reduce(reduceStreamEvent, emptyStreamState);
  const { messages } = await (await fetch(`${next.url}/api/chat/${chat_id}`)).json();
  const parts: { type: string; text?: string }[] = messages.at(-1).parts;
  expect(text).toBe(parts.map((part) => (part.type === 'text' ? part.text : '')).join(''));
  expect(error).toBeUndefined();
});
