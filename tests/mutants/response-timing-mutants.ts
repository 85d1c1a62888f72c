import type { Mutant, SourcePatch } from '../support/patches/patch.ts';
import type { Suite } from './run-suites.ts';

/** A mutant of a rule of response timing or of sending by itself. */
export type TimingMutant = Mutant & {
  /** The contract's rules that it breaks. */
  readonly rule: string;
  /** The suite that must notice. Rules of the server alternate between the two clients. */
  readonly suite: Suite;
  /** A regular expression for the tests that are run. */
  readonly tests: string;
};

const uiChunks = 'lib/views/chunks/ui-chunks.ts';
const prose = 'lib/views/chunks/prose.ts';
const callChunks = 'lib/views/chunks/call-chunks.ts';
const lifecycle = 'lib/views/chunks/lifecycle.ts';
const drive = 'lib/run/drive.ts';
const nextAction = 'lib/run/next-action.ts';
const turn = 'lib/log/turn.ts';
const ssePredicate = 'lib/sse/send-automatically-when.ts';
const bidiPredicate = 'lib/bidi/send-automatically-when.ts';

const patch = (file: string, find: string, replace: string): SourcePatch => ({ file, find, replace });

const approveThenDeny = 'approve, then deny: each call';
const denyThenApprove = 'deny, then approve: each call';
const others = 'answers to other backends';
const everyKind = 'gated, ungated, invalid';

/** The predicates, each rule broken in each of the two. */
const ofPredicates: TimingMutant[] = [
  {
    name: 'sse-sends-beside-an-open-question',
    rule: 'P5',
    patches: [patch(ssePredicate, 'if (isOpen(part) || awaitsClient(', 'if (awaitsClient(')],
    suite: 'sse-use-chat',
    tests: others,
  },
  {
    name: 'bidi-sends-beside-an-open-question',
    rule: 'P5',
    patches: [patch(bidiPredicate, 'else if (isOpen(part) || awaitsClient(', 'else if (awaitsClient(')],
    suite: 'bidi-use-chat',
    tests: others,
  },
  {
    name: 'sse-blocks-on-any-text',
    rule: 'P4',
    patches: [
      patch(
        ssePredicate,
        'else if (news.length === 0) saysMore ||= hasText(part);',
        'else if (hasText(part)) return false;',
      ),
    ],
    suite: 'sse-use-chat',
    tests: 'approve, then deny: text before a question',
  },
  {
    name: 'bidi-blocks-on-any-text',
    rule: 'P4',
    patches: [
      patch(
        bidiPredicate,
        'else if (news.length === 0) {',
        'else if (hasText(part)) return false;\n    else {',
      ),
    ],
    suite: 'bidi-use-chat',
    tests: 'approve, then deny: text before a question',
  },
  {
    name: 'sse-takes-text-behind-a-call-for-a-reply',
    rule: 'P4',
    patches: [
      patch(
        ssePredicate,
        'return !saysMore || (isMarked && !isConfirmationCall(newest));',
        'return !saysMore;',
      ),
    ],
    suite: 'sse-use-chat',
    tests: others,
  },
  {
    name: 'bidi-takes-text-behind-a-call-for-a-reply',
    rule: 'P4',
    patches: [
      patch(
        bidiPredicate,
        'return !saysMore || (isMarked && !isConfirmationCall(newest));',
        'return !saysMore;',
      ),
    ],
    suite: 'bidi-use-chat',
    tests: others,
  },
  {
    name: 'sse-counts-older-steps',
    rule: 'P1',
    patches: [patch(ssePredicate, 'index >= 0 && !isMarked; index', 'index >= 0; index')],
    suite: 'sse-use-chat',
    tests: others,
  },
  {
    name: 'bidi-counts-the-newest-step-alone',
    rule: 'P1',
    patches: [patch(bidiPredicate, 'index >= 0; index', 'index >= 0 && !isMarked; index')],
    suite: 'bidi-use-chat',
    tests: others,
  },
  {
    name: 'bidi-sends-again-what-was-replied-to',
    rule: 'P4',
    patches: [patch(bidiPredicate, '|| doesMoreLater ||', '||')],
    suite: 'bidi-use-chat',
    tests: others,
  },
  {
    name: 'sse-sends-no-denial',
    rule: 'P3',
    patches: [
      patch(
        ssePredicate,
        'if (isAnswered(part) || isDone(part, clientTools)) news',
        'if ((isAnswered(part) && part.approval.approved) || isDone(part, clientTools)) news',
      ),
    ],
    suite: 'sse-use-chat',
    tests: denyThenApprove,
  },
  {
    name: 'sse-does-not-wait-for-the-client',
    rule: 'P8',
    patches: [patch(ssePredicate, 'isOpen(part) || awaitsClient(part, clientTools)', 'isOpen(part)')],
    suite: 'sse-use-chat',
    tests: 'answer and output of an approved client call',
  },
  {
    name: 'bidi-does-not-wait-for-the-client',
    rule: 'P8',
    patches: [patch(bidiPredicate, 'isOpen(part) || awaitsClient(part, clientTools)', 'isOpen(part)')],
    suite: 'bidi-use-chat',
    tests: 'answer and output of an approved client call',
  },
];

/** What a response holds. */
const ofResponses: TimingMutant[] = [
  {
    name: 'text-is-released-with-the-question',
    rule: 'T1, T2',
    patches: [
      patch(
        uiChunks,
        'show(call);\n        push(askChunk(',
        'push(...held.release());\n        show(call);\n        push(askChunk(',
      ),
    ],
    suite: 'sse-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'text-is-released-after-the-first-question',
    rule: 'T2',
    patches: [
      patch(
        uiChunks,
        'show(call);\n        push(askChunk(',
        'if ([...turn.calls.values()].some(({ end }) => end)) push(...held.release());\n        show(call);\n        push(askChunk(',
      ),
    ],
    suite: 'bidi-use-chat',
    tests: denyThenApprove,
  },
  {
    name: 'text-streams-beside-the-draft',
    rule: 'T1',
    patches: [
      patch(
        uiChunks,
        'else push(draftChunk(event.textId, event.delta));',
        'else push(...live.apply(event), draftChunk(event.textId, event.delta));',
      ),
    ],
    suite: 'sse-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'results-are-released-in-intermediate-responses',
    rule: 'T2',
    patches: [patch(uiChunks, '} else if (progressive) tell(call);', '} else tell(call);')],
    suite: 'bidi-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'denials-are-released-in-intermediate-responses',
    rule: 'T2',
    patches: [
      patch(
        uiChunks,
        '} else if (progressive) tell(call);',
        "} else if (progressive || event.type === 'tool-denied') tell(call);",
      ),
    ],
    suite: 'sse-use-chat',
    tests: denyThenApprove,
  },
  {
    name: 'ungated-results-are-released-at-once',
    rule: 'T2',
    patches: [
      patch(
        uiChunks,
        '} else if (progressive) tell(call);',
        "} else if (progressive || call.requested.gate.type === 'none') tell(call);",
      ),
    ],
    suite: 'multi-tool-execution',
    tests: everyKind,
  },
  {
    name: 'another-call-is-shown-beside-the-question',
    rule: 'T1',
    patches: [
      patch(
        uiChunks,
        'show(call);\n        push(askChunk(',
        'for (const each of calls(turn)) show(each);\n        push(askChunk(',
      ),
    ],
    suite: 'bidi-use-chat',
    tests: 'second of two calls in one step',
  },
  {
    name: 'two-questions-at-once',
    rule: 'T9',
    patches: [
      patch(
        drive,
        'return journal.commit(\n          runId,\n          { ...due, ...(repeatOf && { repeatOf }) },',
        `const more = [...journal.turn.calls.values()].filter(
          (call) => call !== action.call && !call.end && call.requested.gate.type === 'ask' && !call.answered,
        );
        const dues = await Promise.all(
          more.map((call) => questionDue(run, journal.turn, call, personOf(run.asker))),
        );
        return journal.commit(
          runId,
          { ...due, ...(repeatOf && { repeatOf }) },
          ...dues,`,
      ),
    ],
    suite: 'sse-use-chat',
    tests: 'second of two calls in one step',
  },
  {
    name: 'a-response-without-the-answer-it-continues',
    rule: 'T2',
    patches: [
      patch(
        uiChunks,
        "else if (call) push(...settledChunk(call));\n        return;\n      case 'approval-granted'",
        "return;\n      case 'approval-granted'",
      ),
    ],
    suite: 'sse-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'results-in-the-wrong-order',
    rule: 'T3',
    patches: [
      patch(
        uiChunks,
        'for (const call of calls(turn)) tell(call);',
        'for (const call of calls(turn).toReversed()) tell(call);',
      ),
    ],
    suite: 'multi-tool-execution',
    tests: everyKind,
  },
  {
    name: 'results-before-text',
    rule: 'T3',
    patches: [
      patch(
        uiChunks,
        'push(...held.release());\n    for (const call of calls(turn)) tell(call);',
        'for (const call of calls(turn)) tell(call);\n    push(...held.release());',
      ),
    ],
    suite: 'bidi-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'a-missing-final-text',
    rule: 'T3',
    patches: [
      patch(
        prose,
        'const released = blocks.flatMap(blockChunks);',
        'const released = blocks.slice(0, -1).flatMap(blockChunks);',
      ),
    ],
    suite: 'sse-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'text-in-the-wrong-order',
    rule: 'T3',
    patches: [
      patch(
        prose,
        'const released = blocks.flatMap(blockChunks);',
        'const released = blocks.toReversed().flatMap(blockChunks);',
      ),
    ],
    suite: 'sse-use-chat',
    tests: denyThenApprove,
  },
  {
    name: 'a-missing-result',
    rule: 'T3',
    patches: [
      patch(uiChunks, "call.kept === 'context') return;", "call.kept === 'context' || call.asked) return;"),
    ],
    suite: 'bidi-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'a-call-is-shown-twice',
    rule: 'T3',
    patches: [
      patch(
        uiChunks,
        'push(...outcomeChunks(call, shown.has(call)));',
        'push(...outcomeChunks(call, false));',
      ),
    ],
    suite: 'sse-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'an-outcome-of-a-call-that-was-never-shown',
    rule: 'T3',
    patches: [
      patch(
        callChunks,
        'const before = shown ? [] : showCall(call, settledByServer);',
        'const before: UIMessageChunk[] = [];',
      ),
    ],
    suite: 'multi-tool-execution',
    tests: 'nothing is asked',
  },
  {
    name: 'a-message-for-each-response',
    rule: 'T4',
    patches: [
      patch(
        uiChunks,
        "out.push({ type: 'start', messageId: turn.messageId });",
        "out.push({ type: 'start', messageId: turn.messageId + view.emitFrom });",
      ),
    ],
    suite: 'sse-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'responses-without-a-step-of-their-own',
    rule: 'T5',
    patches: [patch(uiChunks, 'ending = undefined;\n        beginStep();', 'ending = undefined;')],
    suite: 'sse-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'drafts-become-parts-of-the-message',
    rule: 'T6',
    patches: [
      patch(uiChunks, "return { type: 'data-draft', transient: true,", "return { type: 'data-draft',"),
    ],
    suite: 'bidi-use-chat',
    tests: 'T6\\)',
  },
  {
    name: 'reports-tell-the-output',
    rule: 'T6',
    patches: [
      patch(
        lifecycle,
        "return [['completed', defined({ durationMs, summary, resultCount })]];\n    }\n    case 'tool-failed'",
        "return [['completed', defined({ durationMs, summary, resultCount, output: event.output } as never)]];\n    }\n    case 'tool-failed'",
      ),
    ],
    suite: 'sse-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'no-draft',
    rule: 'T6',
    patches: [patch(uiChunks, 'else push(draftChunk(event.textId, event.delta));', 'else return;')],
    suite: 'sse-use-chat',
    tests: 'T6\\)',
  },
];

/** What runs, and when. */
const ofCalls: TimingMutant[] = [
  {
    name: 'approved-calls-run-after-the-last-question',
    rule: 'T7',
    patches: [
      patch(
        nextAction,
        'if (ready.length > 0) {',
        "if (ready.length > 0 && !pending.some(({ requested, answered }) => requested.gate.type === 'ask' && !answered)) {",
      ),
    ],
    suite: 'multi-tool-execution',
    tests: everyKind,
  },
  {
    name: 'denied-calls-run',
    rule: 'T8',
    patches: [
      patch(turn, 'answered?.approved === true || granted', 'answered !== undefined || granted'),
      patch(
        'lib/commands/answer.ts',
        "return { events: [answered, { type: 'tool-denied', toolCallId, ...told, modelOutput }] };",
        'return { events: [answered] };',
      ),
    ],
    suite: 'bidi-use-chat',
    tests: denyThenApprove,
  },
  {
    name: 'a-denial-ends-the-turn',
    rule: 'T8',
    patches: [
      patch(
        nextAction,
        'for (const call of pending) {',
        "for (const call of calls(turn).some(({ end }) => end?.type === 'tool-denied') ? [] : pending) {",
      ),
    ],
    suite: 'sse-use-chat',
    tests: 'second of two calls in one step',
  },
  {
    name: 'text-is-held-where-nothing-could-ask',
    rule: 'T10',
    patches: [
      patch(
        'lib/commands/send-message.ts',
        "settings.release === 'progressive' || !mayEverAsk(settings) ?",
        "settings.release === 'progressive' ?",
      ),
    ],
    suite: 'multi-tool-execution',
    tests: 'T10\\)',
  },
  {
    name: 'progressive-holds-results',
    rule: 'T11',
    patches: [patch(uiChunks, '} else if (progressive) tell(call);', '}')],
    suite: 'bidi-use-chat',
    tests: 'approve, then deny: text before a question',
  },
  {
    name: 'a-client-tool-is-not-handed-over',
    rule: 'T13',
    patches: [patch(uiChunks, "if (call?.requested.executor === 'client' && !call.asked) show(call);\n", '')],
    suite: 'sse-use-chat',
    tests: 'hands over a call without a question',
  },
  {
    name: 'a-silent-model-gives-an-empty-response',
    rule: 'T15',
    patches: [patch('lib/run/step/settle-step.ts', 'if (!holdsContent(turn)) {', 'if (product.spoke) {')],
    suite: 'sse-use-chat',
    tests: 'T15\\)',
  },
  {
    name: 'a-stop-drops-what-was-withheld',
    rule: 'T16',
    patches: [patch(uiChunks, "case 'run-cancelled':\n        releaseAll();", "case 'run-cancelled':")],
    suite: 'bidi-use-chat',
    tests: 'stop ends a run',
  },
];

/** The rules of ADR 0004, broken one at a time. */
export const timingMutants: readonly TimingMutant[] = [...ofPredicates, ...ofResponses, ...ofCalls];
