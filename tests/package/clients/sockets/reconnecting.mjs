import { packages } from '../report.mjs';
import { drive } from './drive.mjs';

const [name] = packages;
const module = await import(name);
const Reconnecting = module.WebSocket ?? module.default.default ?? module.default;

/** It takes a class of sockets, which may add headers. */
await drive(
  (url, { headers, onOpen, onText, onClose }) => {
    class WithHeaders extends WebSocket {
      constructor(address, protocols) {
        super(address, { protocols, headers });
      }
    }
    const socket = new Reconnecting(url, [], { WebSocket: WithHeaders, minReconnectionDelay: 10 });
    socket.addEventListener('open', onOpen);
    socket.addEventListener('message', ({ data }) => onText(data));
    socket.addEventListener('close', onClose);
    return socket;
  },
  { reconnects: true },
);
