import type { UIMessage } from 'ai';

/** A message of the person, as it was stored elsewhere. */
export const person: UIMessage = {
  id: 'u1',
  role: 'user',
  metadata: { from: 'phone' },
  parts: [{ type: 'text', text: 'Weather?' }],
};

/** A tool part, by default a call of `pay`. */
export function part(fields: Record<string, unknown>): UIMessage['parts'][number] {
  const call = { type: 'tool-pay', toolCallId: 'old-pay', input: { to: 'Alice', amount: 30 } };
  return { ...call, ...fields } as UIMessage['parts'][number];
}

/** A finished chat with parts of many kinds. */
export const pastMessages: readonly UIMessage[] = [
  {
    ...person,
    parts: [
      ...person.parts,
      { type: 'data-place', id: 'p1', data: { city: 'Tokyo' } },
      { type: 'file', mediaType: 'text/plain', filename: 'note.txt', url: 'data:text/plain;base64,SGVsbG8=' },
    ],
  },
  {
    id: 'a1',
    role: 'assistant',
    metadata: { model: 'old' },
    parts: [
      { type: 'step-start' },
      {
        type: 'reasoning',
        text: 'A look outside.',
        state: 'done',
        providerMetadata: { acme: { signature: 'thought' } },
      },
      part({
        type: 'tool-weather',
        toolCallId: 'old-weather',
        state: 'output-available',
        input: { city: 'Tokyo' },
        output: 'Sunny',
      }),
      { type: 'step-start' },
      { type: 'source-url', sourceId: 's1', url: 'https://example.com', title: 'Weather' },
      { type: 'data-chart', data: [1, 2] },
      { type: 'text', text: 'It is sunny.', state: 'done' },
    ],
  },
];

/** An assistant message that waits for a native approval. */
export function waiting(approvalId: string, toolName = 'pay', amount = 30): UIMessage {
  return {
    id: `a-${approvalId}`,
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      part({
        type: `tool-${toolName}`,
        toolCallId: `old-${approvalId}`,
        state: 'approval-requested',
        input: { to: 'Alice', amount },
        approval: { id: approvalId },
        callProviderMetadata: { acme: { signature: 'thought' } },
      }),
    ],
  };
}

/** A chat whose last call waits for a native approval. */
export const importedPayment: readonly UIMessage[] = [
  person,
  {
    id: 'a1',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { type: 'text', text: 'I will pay.', state: 'done' },
      part({
        state: 'approval-requested',
        approval: { id: 'native-approval' },
        callProviderMetadata: { acme: { signature: 'thought' } },
      }),
    ],
  },
];
