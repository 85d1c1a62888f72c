/** Names that the SDK deprecates, and their current names. */
const deprecated = {
  system: 'instructions',
  includeRawChunks: 'include.rawChunks',
  experimental_repairToolCall: 'repairToolCall',
  experimental_include: 'include',
  experimental_onStart: 'onStart',
  experimental_onStepStart: 'onStepStart',
  experimental_onLanguageModelCallStart: 'onLanguageModelCallStart',
  experimental_onLanguageModelCallEnd: 'onLanguageModelCallEnd',
  experimental_onToolCallStart: 'onToolExecutionStart',
  experimental_onToolCallFinish: 'onToolExecutionEnd',
  onStepFinish: 'onStepEnd',
  onFinish: 'onEnd',
};

const ofPlugin =
  'is refused: add the plugin `telemetry` of `countersign/plugins/telemetry`, which takes the options of the SDK';

/** Settings of the SDK that a flow refuses, with the end of the message. Not for missing features. @source ADR 0029 */
export const refusedSettings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(deprecated).map(([name, current]) => [
      name,
      `is refused: its current name is \`${current}\``,
    ]),
  ),
  telemetry: ofPlugin,
  experimental_telemetry: ofPlugin,
  abortSignal:
    'is refused: a flow serves many chats, and a run may continue on another instance. Stop a chat with `flow.chats.stop`',
  messages:
    'is refused: the server’s log is the history of each chat. Send messages with `flow.chats.respond`',
  prompt: 'is refused: the server’s log is the history of each chat. Send messages with `flow.chats.respond`',
  experimental_sandbox:
    'is refused: an approved call may run later, in another process, where this session does not exist. Open it in `execute`',
  experimental_steering:
    'is refused: its messages exist only in this process and would not be in the log. Send messages with `flow.chats.respond`',
  experimental_toolCallers:
    'is refused: calls that a tool makes are not in the log, so nobody could be asked about them',
  experimental_toolApprovalSecret:
    'is refused: answers are checked against the log and not against signed messages. Use `auditKey`',
  _internal: 'is refused: ids come from `random` and the time from `clock`, so that all instances agree',
};
