import { baseURL, expectText, report } from '../report.mjs';

const url = `${baseURL.replace(/^http/, 'ws')}/api/dialects/chat-socket`;

/**
 * Talks over the chat socket with a client.
 *
 * @param open opens a socket: `open(url, { headers, onOpen, onText, onClose })` returns `{ send(text), close() }`
 * @param reconnects whether the client opens lost connections again. Otherwise this program does so
 */
export async function drive(open, { reconnects = false } = {}) {
  /** Sends a message when the socket is open. @returns its text, and what happened */
  function play(message, { query = '', headers = {}, onFrame = () => {} } = {}) {
    const end = Promise.withResolvers();
    const client_message_id = crypto.randomUUID();
    let text = '';
    let turn;
    let opened = 0;
    let socket;

    const send = (frame) => socket.send(JSON.stringify(frame));
    const connect = () => open(url + query, { headers, onOpen, onText, onClose });

    function onOpen() {
      opened += 1;
      const message_ids = turn && { conversation_id: turn.conversation_id, message_id: turn.message_id };
      if (message_ids) send({ type: 'resume', ...message_ids, accept_approvals: true });
      else send({ type: 'message', content: message, client_message_id, accept_approvals: true });
    }

    function onText(data) {
      const frame = JSON.parse(data);
      if (frame.type === 'started') {
        turn = frame;
        text = '';
      }
      if (frame.type === 'token') text += frame.content;
      onFrame(frame, send);
      if (frame.type === 'error') end.reject(new Error(frame.message));
      if (frame.type === 'complete') end.resolve({ text, opened });
    }

    function onClose() {
      if (turn === undefined) end.reject(new Error('the socket closes'));
      else if (!reconnects) socket = connect();
    }

    socket = connect();
    return end.promise.finally(() => socket.close());
  }

  await report({
    text: async () => expectText((await play('Read.')).text, 'One. Two.'),
    async key() {
      expectText(
        (await play('Read.', { query: '?key=1', headers: { authorization: 'Bearer ada' } })).text,
        'One. Two.',
      );
    },
    async question() {
      const { text } = await play('Pay.', {
        onFrame({ type, approval_id }, send) {
          if (type !== 'tool_approval_request') return;
          send({ type: 'tool_approval_response', approval_id, approved: true });
        },
      });
      expectText(text, 'Paid.');
    },
    async resume() {
      const { text, opened } = await play('Read.', { query: '?break=1' });
      expectText(text, 'One. Two.');
      expectText(opened, '2');
    },
  });
}
