import { packages } from '../report.mjs';
import { drive } from './drive.mjs';

const [name] = packages;
const { WebSocket } = await import(name);

await drive((url, { headers, onOpen, onText, onClose }) => {
  const socket = new WebSocket(url, { headers });
  socket.on('open', onOpen);
  socket.on('message', (data) => onText(String(data)));
  socket.on('close', onClose);
  socket.on('error', () => {});
  return socket;
});
