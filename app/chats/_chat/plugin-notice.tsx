'use client';

import type { StoredChat } from 'countersign/react';
import { useState } from 'react';
import type { ChatMessage } from '../_messages/chat-message.ts';
import type { PageChat } from './use-page-chat.ts';

type Shown = Pick<PageChat, 'phase' | 'messages' | 'draft'>;

/** Says which plugin a run waits for. The chat was loaded with it: what has arrived since then comes from a server that has it. */
export function PluginNotice({ run, chat }: { run: StoredChat<ChatMessage>['run']; chat: Shown }) {
  const [loaded] = useState(() => contentOf(chat));
  if (run.waitsForPlugin === undefined || chat.phase !== 'running' || contentOf(chat) !== loaded) return null;
  return (
    <p role="status">
      Waiting for a server with the plugin “{run.waitsForPlugin}”. You can stop this response.
    </p>
  );
}

function contentOf({ messages, draft }: Shown): string {
  const parts = messages.at(-1)?.parts ?? [];
  const texts = parts.flatMap((part) => ('text' in part ? part.text : 'state' in part ? part.state : []));
  return JSON.stringify([messages.length, draft, texts]);
}
