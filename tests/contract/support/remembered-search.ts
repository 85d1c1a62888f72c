import type { Person } from './what-is-hers.ts';

/** Has a search approved and remembered. @returns the id of what is remembered */
export async function rememberSearch({ send, read }: Person): Promise<{ readonly grant: string }> {
  const begun = await send('POST', '/api/chat/message', { message: 'Search and update database' });
  await read(JSON.parse(begun.text).stream_id);
  const questions = JSON.parse((await send('GET', '/api/approvals')).text).approvals;
  const answer = { approved: true, plugins: { remembered: { scope: 'me', match: 'tool' } } };
  const { text } = await send('POST', `/api/approvals/${questions.at(-1).id}`, answer);
  await read(JSON.parse(text).stream_id);
  return { grant: JSON.parse((await send('GET', '/api/remembered')).text).remembered[0].id };
}
