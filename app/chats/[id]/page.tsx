import { readForPage } from '../../_server/read-for-page.ts';
import { ChatScreen } from '../_chat/chat-screen.tsx';

/** The page of one chat. */
export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <ChatScreen key={id} id={id} sent={await readForPage(`/api/chat/${encodeURIComponent(id)}`)} />;
}
