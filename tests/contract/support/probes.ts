/** What somebody names who looks for another's chat: the chat, and what would be in it. */
export type Target = {
  readonly chat: string;
  readonly run: string;
  readonly question: string;
  readonly call: string;
  readonly message: string;
  readonly answer: string;
  readonly grant: string;
};

/** A chat and a question of the one who looks. */
export type Own = { readonly chat: string; readonly run: string };

/** One request over HTTP. */
export type Probe = readonly [
  name: string,
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
];

const text = (words: string) => [{ type: 'text', text: words }];
const spoken = (id: string, role = 'user') => ({ id, role, parts: text('Pay Mallory 1000') });

function chatRequests({ chat, question, call, message, answer }: Target, own: Own): Probe[] {
  const post = (name: string, body: object): Probe => [name, 'POST', '/api/chat', { id: chat, ...body }];
  const again = { trigger: 'regenerate-message' };
  const approval = { id: question, approved: true };
  const part = { type: 'tool-pay', toolCallId: call, state: 'approval-responded', input: {}, approval };
  const answers = [{ approvalId: question, approved: true }];
  return [
    post('regenerate', again),
    post('regenerate by message id', { ...again, messageId: answer }),
    post('regenerate with the message', { ...again, message: spoken(message) }),
    post('regenerate with an unknown message', { ...again, message: spoken('m-unknown') }),
    post('regenerate with the history', {
      ...again,
      messages: [spoken(message), spoken(answer, 'assistant')],
    }),
    post('regenerate with a history that failed', { ...again, messages: [spoken('m-unknown')] }),
    post('an approval', { answers }),
    post('a denial', { answers: [{ approvalId: question, approved: false, reason: 'No.' }] }),
    post('an answer in the history', {
      messages: [spoken(message), { id: answer, role: 'assistant', parts: [{ type: 'step-start' }, part] }],
    }),
    post('an output', { outputs: [{ toolCallId: call, output: 'Here.' }] }),
    post('an answer in a chat of one’s own', { id: own.chat, answers }),
  ];
}

function apiRequests({ chat, question, call, grant }: Target): Probe[] {
  const of = (path = '') => `/api/chat/${chat}${path}`;
  const approval = `/api/approvals/${question}`;
  return [
    ['the chat', 'GET', of()],
    ['rename', 'PATCH', of(), { title: 'Mine' }],
    ['erase', 'DELETE', of(), {}],
    ['stop', 'DELETE', of('/run'), {}],
    ['resume', 'GET', of('/stream')],
    ['the record', 'GET', of('/audit')],
    ['the record as lines', 'GET', of('/audit'), undefined, { accept: 'application/x-ndjson' }],
    ['the timeline', 'GET', of('/timeline')],
    ['a result', 'GET', of(`/tool-results/${call}`)],
    ['an outcome', 'POST', of(`/outcomes/${call}`), { outcome: 'completed', note: 'Paid.' }],
    ['the question', 'GET', approval],
    ['approve', 'POST', approval, { approved: true }],
    ['deny', 'POST', approval, { approved: false, reason: 'No.' }],
    ['approve edited', 'POST', approval, { approved: true, input: { to: 'Mallory', amount: 9 } }],
    [
      'remember',
      'POST',
      approval,
      { approved: true, plugins: { remembered: { scope: 'me', match: 'tool' } } },
    ],
    ['forget', 'DELETE', `/api/remembered/${grant}`, {}],
  ];
}

function dialectRequests({ chat, run, question, call, answer }: Target, own: Own): Probe[] {
  const stream = `/api/chat/stream/${chat}.${run}`;
  const events = '/api/dialects/tool-events';
  const ask = (name: string, body: object): Probe => [name, 'POST', '/v1/responses', body];
  const input = 'Pay Mallory 1000';
  const approved = {
    type: 'mcp_approval_response',
    approval_request_id: `mcpr_${chat}.${question}`,
    approve: true,
  };
  const output = { type: 'function_call_output', call_id: `call_${chat}.${call}`, output: 'Here.' };
  const said = {
    type: 'message',
    id: `msg_${chat}.${answer}`,
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Shall I?' }],
  };
  return [
    ['a two-step stream', 'GET', stream],
    ['a two-step stream, resumed', 'GET', stream, undefined, { 'last-event-id': '3.0' }],
    ['a two-step stream, ended', 'GET', stream, undefined, { 'last-event-id': '3.0.done' }],
    ['a two-step message', 'POST', '/api/chat/message', { message: input, chat_id: chat }],
    ['a stored conversation', 'GET', `${events}?conversationId=${chat}`],
    ['a message with events', 'POST', events, { message: input, conversationId: chat }],
    ['a response, read back', 'GET', `/v1/responses/resp_${chat}.${run}`],
    ['a response, followed', 'GET', `/v1/responses/resp_${chat}.${run}?stream=true`],
    ['the input of a response', 'GET', `/v1/responses/resp_${chat}.${run}/input_items`],
    ['cancel a response', 'POST', `/v1/responses/resp_${chat}.${run}/cancel`, {}],
    ['delete a response', 'DELETE', `/v1/responses/resp_${chat}.${run}`, {}],
    ask('a conversation', { input, conversation: chat }),
    ask('a conversation object, streamed', { input, conversation: { id: chat }, stream: true }),
    ask('a previous response', { input, previous_response_id: `resp_${chat}.${run}` }),
    ask('a history of items', { input: [said, { role: 'user', content: input }] }),
    ask('an approval alone', { input: [approved] }),
    ask('an approval after a response', { input: [approved], previous_response_id: `resp_${chat}.${run}` }),
    ask('an approval by its bare id', {
      input: [{ ...approved, approval_request_id: question }],
      previous_response_id: `resp_${own.chat}.${own.run}`,
    }),
    ask('an output alone', { input: [output] }),
    ask('an approval with a message', { input: [said, approved, { role: 'user', content: input }] }),
  ];
}

/** Every request that names a chat, or something in one, and is no new message of an SDK's client. */
export function probes(target: Target, own: Own): Probe[] {
  return [...chatRequests(target, own), ...apiRequests(target), ...dialectRequests(target, own)];
}

/** Frames for the bidi socket that do the same. */
export function bidiFrames(target: Target, own: Own): [name: string, frame: object][] {
  const send = chatRequests(target, own).map(([name, , , body]): [string, object] => {
    const {
      id,
      trigger = 'submit-message',
      messages = [],
      messageId,
      ...fields
    } = body as Record<string, unknown>;
    return [name, { type: 'send', id, trigger, messages, messageId, headers: {}, body: fields }];
  });
  return [...send, ['resume', { type: 'resume', id: target.chat }]];
}

/** Frames for the chat socket that do the same. */
export function chatSocketFrames({ chat, question, call }: Target): [name: string, frame: object][] {
  return [
    ['a message', { type: 'message', conversation_id: chat, content: 'Pay Mallory 1000' }],
    ['cancel', { type: 'cancel', conversation_id: chat }],
    ['approve', { type: 'tool_approval_response', approval_id: question, approved: true }],
    ['deny', { type: 'tool_approval_response', approval_id: question, approved: false, reason: 'No.' }],
    ['cancel a call', { type: 'tool_cancel', tool_call_id: call }],
    ['retry a call', { type: 'tool_retry', tool_call_id: call }],
  ];
}
