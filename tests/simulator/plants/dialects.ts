import { type Plant, patch } from './plant.ts';

/** Bugs in what readers of the dialects get, and in what their answers do. */
export const dialectPlants: readonly Plant[] = [
  {
    name: 'tool-events-keep-broken-text',
    rule: 'tool events A22',
    patches: [
      patch('plugins/tool-events/frames.ts', 'isDone: () => step.isRepeated,', 'isDone: () => false,'),
    ],
  },
  {
    name: 'tool-events-resume-one-frame-late',
    rule: 'tool events A22',
    patches: [
      patch(
        'plugins/tool-events/frame-id.ts',
        'return place.seq > other.seq ||',
        'return place.seq > other.seq + 1 ||',
      ),
    ],
  },
  {
    name: 'a-two-step-stream-is-not-reset',
    rule: 'two-step stream B19',
    patches: [
      patch(
        'plugins/two-step-stream/current-text.ts',
        'return mustReset ? [resetAt(event.seq, turnText.text)] : [];',
        'return [];',
      ),
    ],
  },
  {
    name: 'a-two-step-stream-repeats-the-last-frame',
    rule: 'two-step stream B17',
    patches: [
      patch(
        'plugins/two-step-stream/frame-id.ts',
        '(id.seq === other.seq && id.index > other.index)',
        '(id.seq === other.seq && id.index >= other.index)',
      ),
    ],
  },
  {
    name: 'a-socket-turn-is-not-reset',
    rule: 'chat socket D2',
    patches: [
      patch(
        'plugins/chat-socket/projection.ts',
        "return mustReset ? [{ type: 'reset', content: turnText.text }] : [];",
        'return [];',
      ),
    ],
  },
  {
    name: 'a-socket-mistakes-failures-for-stops',
    rule: 'chat socket D21',
    patches: [
      patch(
        'plugins/chat-socket/call-frames.ts',
        "const code = event.stopped ? 'TOOL_CANCELLED' : 'TOOL_ERROR';",
        "const code = event.stopped ? 'TOOL_ERROR' : 'TOOL_CANCELLED';",
      ),
    ],
  },
  {
    name: 'a-response-repeats-the-last-event',
    rule: 'responses C12',
    patches: [
      patch(
        'plugins/responses/routes/response-routes.ts',
        'sequence_number > after;',
        'sequence_number >= after;',
      ),
    ],
  },
  {
    name: 'a-denied-call-is-completed-in-a-response',
    rule: 'responses C4',
    patches: [
      patch(
        'plugins/responses/events/call-items.ts',
        "status: !end ? 'in_progress' : end.type === 'tool-completed' ? 'completed' : 'failed',",
        "status: !end ? 'in_progress' : end.type !== 'tool-failed' ? 'completed' : 'failed',",
      ),
    ],
  },
  {
    name: 'a-response-accepts-a-different-late-answer',
    rule: 'responses C18',
    patches: [
      patch(
        'plugins/responses/conversation/ask.ts',
        'if (!isGivenAnswer(standing, answer, principal)) throw error;\n      return',
        'if (standing.answer === undefined) throw error;\n      return',
      ),
    ],
  },
  {
    name: 'a-secret-output-is-shown',
    rule: '0011',
    patches: [
      patch(
        'log/events/call-rows.ts',
        '{ ...event, output: redact(event.output, known.secrets.output), modelOutput: hiddenOutput }',
        '{ ...event, modelOutput: hiddenOutput }',
      ),
    ],
  },
];
