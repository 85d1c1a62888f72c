import { describe, expect, it } from 'vitest';
import { gate } from './support/gate.ts';
import { answerOverHttp, serveDialects } from './support/serve-dialects.ts';
import { getStream, startStream, streamFrames } from './support/two-step-client.ts';

const weather = (id: string) => ({ call: 'weather', id, input: { city: 'Oslo' } });
const asHeader = (id: string, lastId: string) => [id, { 'last-event-id': lastId }] as const;
const inQuery = (id: string, lastId: string) => [`${id}?lastEventId=${lastId}`, {}] as const;

describe('two-step stream: ids that no frame of the stream has', () => {
  it.each([
    ['in the header', asHeader],
    ['in the query', inQuery],
  ])('replay it from its start, %s [B17]', async (_where, with_) => {
    const { url } = await serveDialects([[{ text: 'Look.' }, weather('a')], [{ text: 'Sunny.' }]]);
    const { stream_id } = await startStream(url, 'Weather?');
    const whole = await streamFrames(url, stream_id);
    const ids = whole.map(({ id }) => id);
    const [stream = '', seq = ''] = ids.at(-1)?.split('.') ?? [];
    const unknown = [
      `${stream}.999999.0`,
      `${stream}.1.0`,
      `${stream}.1.0.done`,
      `${stream}.${seq}.0`,
      `${stream}.${seq}.7.done`,
      `${stream}.999999.0.done`,
      `${ids[0]}.done`,
      `${ids[0]?.replace(/\d+$/, '5')}`,
      seq,
    ];
    for (const id of unknown) {
      expect(ids).not.toContain(id);
      const [path, headers] = with_(stream_id, id);
      expect([id, await streamFrames(url, path, headers)]).toEqual([id, whole]);
    }
    for (const [index, id] of ids.entries()) {
      const [path, headers] = with_(stream_id, id);
      const response = await getStream(url, path, headers);
      expect([id, response.status]).toEqual([id, index === ids.length - 1 ? 204 : 200]);
      await response.body?.cancel();
    }
  });

  it('find no stream when they have the id of one and more', async () => {
    const { url } = await serveDialects([[{ text: 'Hello.' }]]);
    const { stream_id } = await startStream(url, 'Hi');
    await streamFrames(url, stream_id);
    for (const id of [`${stream_id}.`, `${stream_id}.more`, `${stream_id}.run_1`]) {
      const response = await getStream(url, id);
      expect([id, response.status]).toEqual([id, 404]);
      await response.body?.cancel();
    }
  });

  it('do not end a stream that is running, however much they look like the id of its `done` [B17]', async () => {
    const held = gate();
    const { url } = await serveDialects([[{ text: 'One. ' }, { wait: held.passed }, { text: 'Two.' }]]);
    const { stream_id } = await startStream(url, 'Count');
    const reading = getStream(url, stream_id);
    const [first] =
      (
        await (
          await reading
        ).body
          ?.getReader()
          .read()
          .then(({ value }) => new TextDecoder().decode(value))
      )?.split('\n') ?? [];
    const id = `${first?.replace('id: ', '')}.done`;
    const response = await getStream(url, stream_id, { 'last-event-id': id });
    held.open();
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('One. ');
  });

  it('replay the stream of an answer, too: those of the stream before it, and its `done` [B17, B18]', async () => {
    const pay = { call: 'pay', id: 'pay', input: { to: 'Alice', amount: 30 } };
    const { url } = await serveDialects([[{ text: 'Paying.' }, pay], [{ text: 'Paid.' }]]);
    const { stream_id } = await startStream(url, 'Pay');
    const before = await streamFrames(url, stream_id);
    const asked = before.map(({ event }) => event).find(({ type }) => type === 'approval_request');
    const approvalId = asked?.type === 'approval_request' ? asked.data.approval_id : '';
    const { body } = await answerOverHttp(url, approvalId, { approved: true });
    const whole = await streamFrames(url, body.stream_id);
    expect(whole.at(-1)?.event).toEqual({ type: 'done', data: { reason: 'complete' } });
    for (const { id } of before) {
      expect(await streamFrames(url, body.stream_id, { 'last-event-id': id })).toEqual(whole);
    }
    for (const { id } of whole) {
      expect(await streamFrames(url, stream_id, { 'last-event-id': id })).toEqual(before);
    }
  });

  it('in the query count where the header is empty [B17]', async () => {
    const { url } = await serveDialects([[{ text: 'Hello.' }]]);
    const { stream_id } = await startStream(url, 'Hi');
    const whole = await streamFrames(url, stream_id);
    const path = `${stream_id}?lastEventId=${whole[0]?.id}`;
    expect(await streamFrames(url, path, { 'last-event-id': '' })).toEqual(whole.slice(1));
    // A reconnection has the newer id in its header.
    expect((await getStream(url, path, { 'last-event-id': whole.at(-1)?.id ?? '' })).status).toBe(204);
  });
});
