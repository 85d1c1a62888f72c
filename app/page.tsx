import { NewChat } from './chats/_start/new-chat.tsx';

/** The start page: a chat that has not begun. */
export default function Page() {
  return <NewChat />;
}
