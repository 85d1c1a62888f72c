import type { Plant } from './plant.ts';

/** Bugs in what readers of the dialects get, and in what their answers do. */
export const dialectPlants: readonly Plant[] = [
  {
    name: 'tool-events-keep-broken-text',
    rule: 'tool events A22',
    file: 'lib/plugins/tool-events/frames.ts',
    find: 'isDone: () => step.isRepeated,',
    replace: 'isDone: () => false,',
  },
  {
    name: 'tool-events-resume-one-frame-late',
    rule: 'tool events A22',
    file: 'lib/plugins/tool-events/frame-id.ts',
    find: 'return place.seq > other.seq ||',
    replace: 'return place.seq > other.seq + 1 ||',
  },
  {
    name: 'a-two-step-stream-is-not-reset',
    rule: 'two-step stream B19',
    file: 'lib/plugins/two-step-stream/current-text.ts',
    find: 'return mustReset ? [resetAt(event.seq, turnText.text)] : [];',
    replace: 'return [];',
  },
  {
    name: 'a-two-step-stream-repeats-the-last-frame',
    rule: 'two-step stream B17',
    file: 'lib/plugins/two-step-stream/frame-id.ts',
    find: '(id.seq === other.seq && id.index > other.index)',
    replace: '(id.seq === other.seq && id.index >= other.index)',
  },
  {
    name: 'a-socket-turn-is-not-reset',
    rule: 'chat socket D2',
    file: 'lib/plugins/chat-socket/projection.ts',
    find: "return mustReset ? [{ type: 'reset', content: turnText.text }] : [];",
    replace: 'return [];',
  },
  {
    name: 'a-socket-mistakes-failures-for-stops',
    rule: 'chat socket D21',
    file: 'lib/plugins/chat-socket/call-frames.ts',
    find: "const code = event.stopped ? 'TOOL_CANCELLED' : 'TOOL_ERROR';",
    replace: "const code = event.stopped ? 'TOOL_ERROR' : 'TOOL_CANCELLED';",
  },
  {
    name: 'a-response-repeats-the-last-event',
    rule: 'responses C12',
    file: 'lib/plugins/responses/routes/response-routes.ts',
    find: 'sequence_number > after;',
    replace: 'sequence_number >= after;',
  },
  {
    name: 'a-denied-call-is-completed-in-a-response',
    rule: 'responses C4',
    file: 'lib/plugins/responses/events/call-items.ts',
    find: "status: !end ? 'in_progress' : end.type === 'tool-completed' ? 'completed' : 'failed',",
    replace: "status: !end ? 'in_progress' : end.type !== 'tool-failed' ? 'completed' : 'failed',",
  },
  {
    name: 'a-response-accepts-a-different-late-answer',
    rule: 'responses C18',
    file: 'lib/plugins/responses/conversation/ask.ts',
    find: 'if (!isGivenAnswer(standing, answer, principal)) throw error;\n      return',
    replace: 'if (standing.answer === undefined) throw error;\n      return',
  },
  {
    name: 'a-secret-output-is-shown',
    rule: '0011',
    file: 'lib/log/events/call-rows.ts',
    find: '{ ...event, output: redact(event.output, known.secrets.output), modelOutput: hiddenOutput }',
    replace: '{ ...event, modelOutput: hiddenOutput }',
  },
];
