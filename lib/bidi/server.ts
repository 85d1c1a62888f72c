export { type BidiServer, type BidiSettings, createBidiServer } from './bidi-server.ts';
export { createSocketServer, type SocketServer, type SocketSettings } from './server-sockets.ts';
export {
  createUpgradeHandler,
  type UpgradeHandler,
  type UpgradeHandlerSettings,
} from './upgrade-handler.ts';
