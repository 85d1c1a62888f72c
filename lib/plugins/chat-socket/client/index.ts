export { ChatSocketClient, type ChatSocketClientSettings } from './client.ts';
export { ChatSocketError } from './error.ts';
export {
  emptySocketTurn,
  type ReceivedFrame,
  reduceSocketFrame,
  reduceSocketTurns,
  type SocketToolCall,
  type SocketTurn,
  type SocketTurns,
} from './reducer.ts';
export type { ClientFrame, ServerFrame } from './schema.ts';
export type { ClientSocket, ClientSocketClass, SocketConnection } from './socket.ts';
