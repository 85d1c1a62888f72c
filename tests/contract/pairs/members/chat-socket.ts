import { chatSocket } from 'countersign/plugins/chat-socket';
import { readsIn } from '../read-dialect.ts';

export const member = readsIn('chat-socket', chatSocket());
