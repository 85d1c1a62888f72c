import { refusedSettings } from '../../lib/settings/checks/refused-settings.ts';
import { isCallback } from './sdk-keys.mjs';

/**
 * How a setting, callback or chunk type of the SDK works here.
 *
 * @typedef {{ state: 'works' | 'works differently' | 'refused at creation', how?: string, test: string, isListed?: true }} Row
 * `test`: the file and the title of a test, whose file mentions the name, unless its rows are listed elsewhere
 */

const inCall = 'tests/contract/flow/call-settings.test.ts';
const gets = `${inCall} > gets %s`;
const inPrepared = 'tests/contract/flow/prepare-call.test.ts';
const inCallbacks = 'tests/contract/flow/callbacks.test.ts';
const inOrder = `${inCallbacks} > are called in order, with the place in the chat`;
const ofTools = `${inCallbacks} > get a tool’s arguments, context, result and duration`;
const inChunks = 'tests/contract/flow/chunk-types.test.ts';
const refusal = 'tests/contract/settings.test.ts > refuses %s with the reason';
const gate =
  'tests/contract/flow/gate.test.ts > calls the gate again in a later step, with the results of the earlier one';

const works = (test, how) => ({ state: 'works', ...(how && { how }), test });
const differs = (how, test) => ({ state: 'works differently', how, test });
const eachOf = (names, row) => Object.fromEntries(names.map((name) => [name, row]));
const refused = Object.entries(refusedSettings).map(([name, reason]) => [
  name,
  { state: 'refused at creation', how: sentence(reason), test: refusal, isListed: true },
]);

/** @type {Record<string, Row>} */
export const settings = {
  ...eachOf(
    [
      ...['maxOutputTokens', 'temperature', 'topP', 'topK', 'presencePenalty', 'frequencyPenalty'],
      ...['stopSequences', 'seed', 'reasoning', 'headers', 'providerOptions', 'toolChoice', 'activeTools'],
      ...['toolOrder', 'instructions', 'model'],
    ],
    works(gets),
  ),
  ...Object.fromEntries(refused.filter(([name]) => !isCallback(name))),
  callOptionsSchema: differs(
    'The options come from `callOptions` of the handlers or of `flow.chats.respond`. They are recorded as JSON, and parsed before each use.',
    `${inPrepared} > are recorded as they were given, and parsed once for each use`,
  ),
  prepareCall: differs(
    'Evaluated for each run, from the record, with `principal` and `chatId`. It gets and may return neither `messages` nor `prompt`, and cannot leave out `toolApproval`.',
    `${inPrepared} > another model, other tools and another policy count for the run`,
  ),
  runtimeContext: differs(
    'One that `prepareStep` returns holds until the next question, answer or end.',
    'tests/contract/flow/contexts.test.ts > a context that `prepareStep` returns holds for the later steps and calls of the run',
  ),
  allowSystemInMessages: works(
    `${inCall} > may contain system messages of prepareStep, with allowSystemInMessages`,
    'Concerns the messages that `prepareStep` returns. Clients send user messages only.',
  ),
  experimental_download: works(`${inCall} > gets files from experimental_download`),
  experimental_refineToolInput: differs(
    'Only for tools that cannot ask; refused at creation for others. The log has the arguments as given, and as refined (`runsAs`).',
    `${inCall} > changes what a tool gets, and the log records what was given and what ran`,
  ),
  experimental_transform: differs(
    'The parts of tool calls and `finish-step` must be passed on unchanged, or the turn fails.',
    `${inCall} > fails the turn if it %s a tool call, because no gate has judged the result`,
  ),
  id: works(`${inCall} > the id of the agent is the flow’s`, 'Read it as `flow.id`.'),
  include: works(
    gets,
    'Bodies and messages are in the event of `onStepEnd`, raw chunks in that of `onChunk`. The log has none of them.',
  ),
  maxRetries: works(
    `${inCall} > is repeated as often as maxRetries says`,
    'A request with which the provider runs an approved call is sent once.',
  ),
  output: works(
    `${inCall} > streams as text, which \`output\` and \`parsePartialJson\` read`,
    'The text stays text. Read it with `output.parseCompleteOutput` or `parsePartialJson`, or in `onEnd`.',
  ),
  prepareStep: differs(
    'Is called with the steps of the whole turn, as the log has them.',
    'tests/contract/flow/kept-calls.test.ts > passes the kept steps to `prepareStep` [H7]',
  ),
  repairToolCall: works(`${inCall} > lets repairToolCall repair a call`),
  stopWhen: differs(
    'Is called with the steps of the whole turn, as the log has them. Default: 20 steps, as in `ToolLoopAgent`.',
    'tests/contract/flow/kept-calls.test.ts > counts the steps after the cut for stop conditions and step limits [H7]',
  ),
  streamRetries: differs(
    'What the failed attempt wrote is dropped, also for people. Not for a request with which the provider runs an approved call.',
    `${inCall} > streams a broken step again (%s)`,
  ),
  timeout: differs(
    'A number and `totalMs` limit a run: from a message or an answer to its next question or end. `stepMs` limits a step with the calls that follow it without a question. A tool that exceeds its own limit (`toolMs`, `tools`) is no longer waited for, and its outcome is unknown unless it is `idempotent`. At the limit of its run or step, it is aborted and has `stopGraceMs` to end.',
    `${inCall} > ends a turn whose model takes longer (%s)`,
  ),
  toolApproval: differs(
    'Asks one question at a time, and records it. A gate that fails, fails its call.',
    gate,
  ),
  toolCallConcurrency: works(
    `${inCall} > runs at most that many calls at a time, in order, and starts each only when it runs`,
  ),
  tools: differs(
    'The engine calls `execute`, after the start is recorded. A tool’s `context` has more fields.',
    `${inCall} > runs at most that many calls at a time, in order, and starts each only when it runs`,
  ),
  toolsContext: works(ofTools, 'The flow adds `principal`, `chatId`, `idempotencyKey` and others.'),
};

/** @type {Record<string, Row>} */
export const callbacks = {
  ...Object.fromEntries(refused.filter(([name]) => isCallback(name))),
  onStart: differs('Called once a turn, and not again after a question.', inOrder),
  onStepStart: differs(
    '`stepNumber` and `steps` are those of the turn. Called again if a step is streamed again.',
    inOrder,
  ),
  onLanguageModelCallStart: works(inOrder),
  onLanguageModelCallEnd: works(inOrder),
  onStepEnd: differs(
    'Called when the model’s part of the step has ended. Results of tools that run after it are in `onToolExecutionEnd` and `onEnd`.',
    inOrder,
  ),
  onStepError: works(`${inCallbacks} > get the error of a failed model call, once`),
  onToolExecutionStart: differs('Called right after `execute`, for each attempt.', ofTools),
  onToolExecutionEnd: differs(
    'Called for each attempt. A call that is no longer waited for is a `tool-error`.',
    ofTools,
  ),
  onChunk: differs('Is not awaited.', inOrder),
  onError: works(`${inCallbacks} > onError may ask for one more retry with streamRetries`),
  onAbort: works(
    `${inCallbacks} > onAbort gets the steps of a turn that was stopped, running or waiting`,
    'Also for a turn that a new message replaced.',
  ),
  onEnd: differs(
    'Called when the turn is complete, with `messages` and the steps of the whole turn, read from the log.',
    `${inCallbacks} > gets the messages, the usage and the steps of the whole turn, once, after the last answer`,
  ),
};

const sends = `${inChunks} > a flow sends %s`;
const sendsNo = `${inChunks} > a flow does not send %s`;

/** @type {Record<string, Row>} */
export const chunks = {
  ...eachOf(
    [
      ...['start', 'start-step', 'text-start', 'text-delta', 'text-end', 'finish-step', 'finish', 'error'],
      ...['reasoning-start', 'reasoning-delta', 'reasoning-end', 'source-url', 'file'],
      ...['tool-input-start', 'tool-input-available', 'tool-input-error', 'tool-output-error'],
      ...['tool-output-denied'],
    ],
    works(sends),
  ),
  'tool-output-available': works(
    'tests/contract/flow/preliminary-outputs.test.ts > are output parts in a `progressive` response, and the last one is the output [T11]',
    "With `preliminary: true` only with `release: 'progressive'`. In `final`, preliminary outputs are in `data-tool-lifecycle`.",
  ),
  ...eachOf(
    ['source-document', 'reasoning-file'],
    works(`${inChunks} > a flow sends sources and files that the model cites and thinks with`),
  ),
  'tool-approval-request': differs('One at a time, as the last part of its response.', sends),
  'tool-approval-response': differs('The server sends the answer that a response continues.', sends),
  'tool-input-delta': differs(
    "With `release: 'progressive'`, for tools that can never ask. Of other tools as transient `data-tool-input`.",
    'tests/contract/flow/written-calls.test.ts > is one part from its first word to its outcome, if its tool can never ask',
  ),
  'message-metadata': differs(
    'Not sent: `start` and `finish` have the metadata that `messageMetadata` of the flow returns.',
    sendsNo,
  ),
  'steering-message': differs('Not sent, since steering is refused.', sendsNo),
  custom: differs(
    'Not sent. The model gets its parts back.',
    `${inChunks} > a flow does not send custom parts, and gives them back to the model`,
  ),
  abort: works('tests/contract/flow/timing-endings.test.ts > aborts %s, and says so [T16, H5]'),
  'reset-step': works(
    'tests/contract/flow/take-over.test.ts > and repeats a step; %s %s',
    "With `release: 'progressive'` or `'hold-after-question'`.",
  ),
  'data-*': differs(
    'Our own `data-draft`, `data-message-changed`, `data-tool-input` and `data-tool-lifecycle` are transient. Tools write others with `context.writer`, routes with `flow.chats.writer`, and they are stored. Withheld like text in `final`. Transient ones reach the readers of the same instance.',
    'tests/contract/flow/data-parts.test.ts > are withheld like text with `final`, and released with it, each `id` once',
  ),
};

/** A reason of a refusal, as a sentence of its own. */
function sentence(reason) {
  const text = reason.replace(/^is refused: /, '');
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}
