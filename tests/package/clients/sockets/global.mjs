import { drive } from './drive.mjs';

/** Node's takes headers as an option of its own. */
await drive((url, { headers, onOpen, onText, onClose }) => {
  const socket = new WebSocket(url, { headers });
  socket.addEventListener('open', onOpen);
  socket.addEventListener('message', ({ data }) => onText(data));
  socket.addEventListener('close', onClose);
  return socket;
});
