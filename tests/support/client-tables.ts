/** A table of the page of clients: its name, and its columns with the task of each. */
export type ClientTable = {
  readonly name: string;
  readonly columns: Readonly<Record<string, string>>;
};

/** The tables of `docs/protocol/clients.md`. */
export const clientTables = {
  responses: {
    name: 'responses',
    columns: {
      text: 'text',
      stream: 'stream',
      serverTool: 'tools of the server',
      approve: 'approve',
      deny: 'deny',
      continue: 'next message',
      clientTool: 'tools of the client',
      structured: 'structured output',
      approveWithoutTool: 'approve without a hosted tool',
      elsewhere: 'question in text, answered elsewhere',
      repeat: 'message while it waits pays once',
      subAgents: 'sub-agents',
    },
  },
  'two-step-stream': {
    name: 'two-step-stream',
    columns: {
      read: 'reads a stream',
      errorFrame: 'sees `error` frames',
      resume: 'resumes after a broken connection',
      stop: 'stops after `done`',
      key: 'sends a key',
    },
  },
  'tool-events': {
    name: 'tool-events',
    columns: {
      read: 'reads a stream',
      send: 'sends a message',
      question: 'question and answer',
      resume: 'resumes after a broken connection',
      stop: 'stops after the end',
      key: 'sends a key',
    },
  },
  'chat-socket': {
    name: 'chat-socket',
    columns: {
      text: 'connects and reads a text',
      key: 'sends a key',
      question: 'question and answer',
      resume: 'resumes after a broken connection',
    },
  },
} as const satisfies Record<string, ClientTable>;

/** The table of the clients in Python, which no test repeats. */
export function pythonTable(table: ClientTable): ClientTable {
  const { approveWithoutTool: _1, elsewhere: _2, repeat: _3, subAgents: _4, ...columns } = table.columns;
  return { name: `${table.name}-python`, columns };
}
