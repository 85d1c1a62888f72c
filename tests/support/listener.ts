// depends on: only its imports
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

const timeoutMs = 5_000;

const program = `
  const { workerData, parentPort } = require('node:worker_threads');
  const { url, awaited, flag } = workerData;
  const body = JSON.stringify({ input: 'Go.', stream: true });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer ada' };
  require('node:http').request(url, { method: 'POST', headers }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (data) => {
      text += data;
      if (!text.includes(awaited)) return;
      Atomics.store(flag, 0, 1);
      Atomics.notify(flag, 0);
    });
    response.on('end', () => parentPort.postMessage(text));
  }).end(body);
`;

/**
 * A client in its own thread. It receives data even while this thread is blocked, and so shows what has left
 * the process.
 */
export function listener() {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  return {
    heard: {
      /** Blocks until the client has received the expected text. */
      wait: (): 'heard' | 'not heard' =>
        Atomics.wait(flag, 0, 0, timeoutMs) === 'timed-out' ? 'not heard' : 'heard',
    },
    /** Requests a response, and returns everything received at its end. */
    listen(url: string, awaited: string): Promise<string> {
      const worker = new Worker(program, { eval: true, workerData: { url, awaited, flag } });
      onTestFinished(async () => void (await worker.terminate()));
      return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    },
  };
}
