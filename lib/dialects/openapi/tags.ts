const tags: readonly (readonly [name: string, prefix: string, description: string])[] = [
  ['Responses gateway', '/v1/', "OpenAI's Responses API."],
  ['Tool events', '/api/dialects/tool-events', 'SSE dialect: a turn as tool invocation events.'],
  [
    'Chat socket',
    '/api/dialects/chat-socket',
    'WebSocket dialect. `GET /asyncapi.json` describes its frames.',
  ],
  ['Two-step stream', '/api/chat/message', 'SSE dialect: send a message, then read its stream.'],
  ['Two-step stream', '/api/chat/stream/', ''],
  ['Chats', '/api/chat', 'Chats, their streams and their records.'],
  ['Approvals', '/api/approvals', 'Questions and their answers.'],
  ['Account', '/api/remembered', 'What belongs to the person who asks.'],
  ['Account', '/api/delegations', ''],
  ['Account', '/api/people', ''],
  ['Account', '/api/sessions', ''],
  ['Operations', '/api/operations', 'What needs an operator, and probes.'],
  ['Operations', '/api/health/', ''],
];

/** The tags of the document, in the order of its operations. */
export function documentTags(): { name: string; description: string }[] {
  return tags.filter(([, , text]) => text !== '').map(([name, , description]) => ({ name, description }));
}

/** The tag of all operations of a path. */
export function tagOf(path: string): string | undefined {
  return tags.find(([, prefix]) => path.startsWith(prefix))?.[0];
}
