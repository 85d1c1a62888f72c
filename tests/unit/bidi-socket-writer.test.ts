import { expect, it } from 'vitest';
import { createSocketWriter } from '../../lib/bidi/socket-writer.ts';
import { untilIdle } from '../support/until-idle.ts';

/** A socket whose bytes stay until its line lets them go, and what left together. */
function heldSocket() {
  const writes: string[][] = [];
  let waiting: string[] = [];
  let isCorked = false;
  const leave = () => {
    if (!isCorked && waiting.length > 0) writes.push(waiting.splice(0));
  };
  const line = {
    cork: () => {
      isCorked = true;
    },
    uncork: () => {
      isCorked = false;
      leave();
    },
  };
  const socket = {
    ...{ readyState: 1, OPEN: 1 },
    get bufferedAmount() {
      return waiting.join('').length;
    },
    send: (text: string, sent: () => void) => {
      waiting = [...waiting, text];
      leave();
      sent();
    },
    ping: () => {},
    close: () => {},
    terminate: () => {},
    on: () => {},
  };
  return { socket, line, writes };
}

it('messages of one turn of the event loop leave a socket in one write', async () => {
  const { socket, line, writes } = heldSocket();
  const send = createSocketWriter(socket, line);
  for (const text of ['a', 'b', 'c']) await send(text);
  await untilIdle();
  await send('d');
  await untilIdle();
  expect(writes).toEqual([['a', 'b', 'c'], ['d']]);
});

it('a large message leaves a socket immediately, with what was sent before it', async () => {
  const { socket, line, writes } = heldSocket();
  const send = createSocketWriter(socket, line);
  const large = 'x'.repeat(8_000);
  await send('a');
  await send(large);
  expect(writes).toEqual([['a', large]]);
});

it('a socket whose reader has stopped holds 64 KiB and one message', async () => {
  const { socket, line } = heldSocket();
  let held = 0;
  const stopped = {
    ...socket,
    get bufferedAmount() {
      return held;
    },
    send: (text: string) => {
      held += text.length;
    },
  };
  const send = createSocketWriter(stopped, line);
  const message = 'x'.repeat(1_024);
  let sent = 0;
  let begun = 0;
  while (sent === begun && held < 1_048_576) {
    begun += 1;
    void send(message).then(() => {
      sent += 1;
    });
    await untilIdle();
  }
  expect(held).toBe(64 * 1_024 + message.length);
});
