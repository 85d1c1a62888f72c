import type { Script } from 'countersign/testing';

/** Answers each task of the clients of the Responses gateway. */
export const clientScript: Script = ({ prompt, tools = [] }) => {
  const last = prompt.at(-1);
  const said = prompt.filter(({ role }) => role === 'user');
  const asked = JSON.stringify(said.at(-1)?.content ?? '');
  const result = last?.role === 'tool' ? JSON.stringify(last.content) : undefined;
  if (result?.includes('execution-denied')) return [{ text: 'Not paid.' }];
  if (result?.includes('paid')) return [{ text: 'Paid.' }];
  if (result?.includes('Sunny')) return [{ text: 'It is sunny.' }];
  if (result !== undefined) return [{ text: `It is ${/(\b|\\n)9\b/.test(result) ? 9 : 'unknown'}.` }];
  if (asked.includes('Is it done'))
    return [{ text: JSON.stringify(prompt).includes('paid') ? 'Paid.' : 'Not yet.' }];
  if (asked.includes('Pay Alice')) return [{ call: 'pay', input: { to: 'Alice', amount: 30 } }];
  if (asked.includes('Pay Bob')) return [{ call: 'pay', input: { to: 'Bob', amount: 40 } }];
  if (asked.includes('weather')) return [{ call: 'weather', input: { city: 'Oslo' } }];
  if (asked.includes('Add') && tools.some(({ name }) => name === 'add'))
    return [{ call: 'add', input: { a: 5, b: 4 } }];
  // The command line of Codex adds with a command.
  if (asked.includes('Add') && tools.some(({ name }) => name === 'exec_command'))
    return [{ call: 'exec_command', input: { cmd: 'expr 5 + 4', login: false } }];
  if (asked.includes('What is my name'))
    return [{ text: JSON.stringify(prompt).includes('My name is Ada') ? 'Ada.' : 'Nobody said.' }];
  if (asked.includes('JSON')) return [{ text: '{"city":"Oslo","country":"Norway"}' }];
  return [{ text: 'Hello.' }];
};
