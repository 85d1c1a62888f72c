import type { Person } from './what-is-hers.ts';

/** Has a search approved and remembered. @returns the id of what is remembered */
export async function rememberSearch({ send, ask }: Person): Promise<{ readonly grant: string }> {
  const chat = 'chat-of-a-search';
  await ask(chat, 'Search and update database');
  const { open } = JSON.parse((await send('GET', `/api/chat/${chat}`)).text);
  const plugins = { remembered: { scope: 'me', match: 'tool' } };
  const answers = [{ approvalId: open, approved: true, plugins }];
  await send('POST', '/api/chat', { id: chat, trigger: 'submit-message', answers });
  return { grant: JSON.parse((await send('GET', '/api/remembered')).text).remembered[0].id };
}
