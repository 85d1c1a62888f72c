import type { Mutant } from '../support/patches/patch.ts';
import type { Suite } from './run-suites.ts';

/** A mutant of a rule of response timing or of sending by itself. */
export type TimingMutant = Mutant & {
  /** The requirements that it breaks. */
  readonly rule: string;
  /** The suite that must notice. Rules of the server alternate between the two clients. */
  readonly suite: Suite;
  /** A regular expression for the tests that are run. */
  readonly tests: string;
};

const held = 'lib/views/chunks/final.ts';
const heldProse = 'lib/views/chunks/final-prose.ts';
const live = 'lib/views/chunks/progressive.ts';
const callWriter = 'lib/views/chunks/call-writer.ts';
const chunkWriter = 'lib/views/chunks/chunk-writer.ts';
const outcomeChunks = 'lib/views/chunks/outcome-chunks.ts';
const lifecycle = 'lib/views/chunks/lifecycle.ts';
const drive = 'lib/run/drive.ts';
const nextAction = 'lib/run/next-action.ts';
const turn = 'lib/log/turn/turn.ts';
const ssePredicate = 'lib/sse/send-automatically-when.ts';
const bidiPredicate = 'lib/bidi/send-automatically-when.ts';

const approveThenDeny = 'approve, then deny: each call';
const denyThenApprove = 'deny, then approve: each call';
const others = 'answers to other backends';
const everyKind = 'gated, ungated, invalid';

/** The predicates, each rule broken in each of the two. */
const ofPredicates: TimingMutant[] = [
  {
    name: 'sse-sends-beside-an-open-question',
    rule: 'P5',
    file: ssePredicate,
    find: 'if (isOpen(part) || awaitsClient(',
    replace: 'if (awaitsClient(',
    suite: 'sse-use-chat',
    tests: others,
  },
  {
    name: 'bidi-sends-beside-an-open-question',
    rule: 'P5',
    file: bidiPredicate,
    find: 'if (isOpen(part) || awaitsClient(',
    replace: 'if (awaitsClient(',
    suite: 'bidi-use-chat',
    tests: others,
  },
  {
    name: 'sse-blocks-on-any-text',
    rule: 'P4',
    file: ssePredicate,
    find: 'else if (news.length === 0) saysMore ||= hasText(part);',
    replace: 'else if (hasText(part)) return false;',
    suite: 'sse-use-chat',
    tests: 'approve, then deny: text before a question',
  },
  {
    name: 'bidi-blocks-on-any-text',
    rule: 'P4',
    file: bidiPredicate,
    find: 'if (newest === undefined ||',
    replace: 'if (newest === undefined || content.some((part) => isPart(part) && hasText(part)) ||',
    suite: 'bidi-use-chat',
    tests: 'approve, then deny: text before a question',
  },
  {
    name: 'sse-takes-text-behind-a-call-for-a-reply',
    rule: 'P4',
    file: ssePredicate,
    find: 'return !saysMore || (isMarked && !isConfirmationCall(newest));',
    replace: 'return !saysMore;',
    suite: 'sse-use-chat',
    tests: others,
  },
  {
    name: 'bidi-takes-text-behind-a-call-for-a-reply',
    rule: 'P4',
    file: bidiPredicate,
    find: 'return !saysMore || (isMarked(content) && !isConfirmationCall(newest));',
    replace: 'return !saysMore;',
    suite: 'bidi-use-chat',
    tests: others,
  },
  {
    name: 'sse-counts-older-steps',
    rule: 'P1',
    file: ssePredicate,
    find: 'index >= 0 && !isMarked; index',
    replace: 'index >= 0; index',
    suite: 'sse-use-chat',
    tests: others,
  },
  {
    name: 'bidi-counts-the-newest-step-alone',
    rule: 'P1',
    file: bidiPredicate,
    find: 'const content = lastAssistantContent(question);',
    replace:
      'const whole = lastAssistantContent(question);\n  const content = whole.slice(Math.max(0, whole.findLastIndex((part) => isPart(part) && isStepMark(part))));',
    suite: 'bidi-use-chat',
    tests: others,
  },
  {
    name: 'bidi-sends-again-what-was-replied-to',
    rule: 'P4',
    file: bidiPredicate,
    find: '|| doesMoreLater ||',
    replace: '||',
    suite: 'bidi-use-chat',
    tests: others,
  },
  {
    name: 'sse-sends-no-denial',
    rule: 'P3',
    file: ssePredicate,
    find: 'if (isAnswered(part) || isDone(part, clientTools)) news',
    replace: 'if ((isAnswered(part) && part.approval.approved) || isDone(part, clientTools)) news',
    suite: 'sse-use-chat',
    tests: denyThenApprove,
  },
  {
    name: 'sse-does-not-wait-for-the-client',
    rule: 'P8',
    file: ssePredicate,
    find: 'isOpen(part) || awaitsClient(part, clientTools)',
    replace: 'isOpen(part)',
    suite: 'sse-use-chat',
    tests: 'the answer and the output of an approved client call',
  },
  {
    name: 'bidi-does-not-wait-for-the-client',
    rule: 'P8',
    file: bidiPredicate,
    find: 'isOpen(part) || awaitsClient(part, clientTools)',
    replace: 'isOpen(part)',
    suite: 'bidi-use-chat',
    tests: 'the answer and the output of an approved client call',
  },
];

/** What a response holds. */
const ofResponses: TimingMutant[] = [
  {
    name: 'text-is-released-with-the-question',
    rule: 'T1, T2',
    file: held,
    find: 'default:\n        callWriter.apply(item);',
    replace:
      "default:\n        if (event.type === 'approval-requested') writer.write(...prose.release(turn));\n        callWriter.apply(item);",
    suite: 'sse-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'text-is-released-after-the-first-question',
    rule: 'T2',
    file: held,
    find: 'default:\n        callWriter.apply(item);',
    replace:
      "default:\n        if (event.type === 'approval-requested' && [...turn.calls.values()].some(({ end }) => end)) writer.write(...prose.release(turn));\n        callWriter.apply(item);",
    suite: 'bidi-use-chat',
    tests: denyThenApprove,
  },
  {
    name: 'text-streams-beside-the-draft',
    rule: 'T1',
    file: held,
    find: 'writer.write(draftChunk(prose.draftOf(event)));',
    replace: 'writer.write(...live.apply(event), draftChunk(prose.draftOf(event)));',
    also: [
      {
        file: held,
        find: 'const prose = createWithheldProse();',
        replace: 'const prose = createWithheldProse();\n  const live = createLiveProse();',
      },
      {
        file: held,
        find: "import { lifecycleChunks } from './lifecycle.ts';",
        replace:
          "import { lifecycleChunks } from './lifecycle.ts';\nimport { createLiveProse } from './progressive-prose.ts';",
      },
    ],
    suite: 'sse-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'results-are-released-in-intermediate-responses',
    rule: 'T2',
    file: held,
    find: 'callWriter.apply(item);\n    }',
    replace: 'callWriter.apply(item);\n        if (item.call?.end) callWriter.showOutcome(item.call);\n    }',
    suite: 'bidi-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'denials-are-released-in-intermediate-responses',
    rule: 'T2',
    file: held,
    find: 'callWriter.apply(item);\n    }',
    replace:
      "callWriter.apply(item);\n        if (item.call && event.type === 'tool-denied') callWriter.showOutcome(item.call);\n    }",
    suite: 'sse-use-chat',
    tests: denyThenApprove,
  },
  {
    name: 'failures-are-released-in-intermediate-responses',
    rule: 'T2',
    file: held,
    find: 'callWriter.apply(item);\n    }',
    replace:
      "callWriter.apply(item);\n        if (item.call && event.type === 'tool-failed') callWriter.showOutcome(item.call);\n    }",
    suite: 'adr-0004',
    tests: 'The last response contains',
  },
  {
    name: 'outcomes-before-sources',
    rule: 'T3',
    file: held,
    find: 'writer.write(...prose.release(turn), ...limitChunks({ event, turn }, true));\n    for (const call of turn.calls.values()) callWriter.showOutcome(call);',
    replace: `const released = prose.release(turn);
    const isSource = ({ type }: UIMessageChunk) => type.startsWith('source-');
    writer.write(...released.filter((chunk) => !isSource(chunk)), ...limitChunks({ event, turn }, true));
    for (const call of turn.calls.values()) callWriter.showOutcome(call);
    writer.write(...released.filter(isSource));`,
    suite: 'adr-0004',
    tests: 'The last response contains',
  },
  {
    name: 'ungated-results-are-released-at-once',
    rule: 'T2',
    file: held,
    find: 'callWriter.apply(item);\n    }',
    replace:
      "callWriter.apply(item);\n        if (item.call?.requested.gate.type === 'none') callWriter.showOutcome(item.call);\n    }",
    suite: 'multi-tool-execution',
    tests: everyKind,
  },
  {
    name: 'another-call-is-shown-beside-the-question',
    rule: 'T1',
    file: held,
    find: 'default:\n        callWriter.apply(item);',
    replace:
      "default:\n        if (event.type === 'approval-requested') for (const each of turn.calls.values()) callWriter.show(each);\n        callWriter.apply(item);",
    suite: 'bidi-use-chat',
    tests: 'second of two calls in one step',
  },
  {
    name: 'two-questions-at-once',
    rule: 'T9',
    file: drive,
    find: 'return journal.commit(\n          runId,\n          { ...due, repeatOf, preview },',
    replace: `const more = [...journal.turn.calls.values()].filter(
          (call) => call !== action.call && !call.end && call.requested.gate.type === 'ask' && !call.answered,
        );
        const dues = await Promise.all(
          more.map((call) => questionDue(run, journal.turn, call, personOf(run.asker))),
        );
        return journal.commit(
          runId,
          { ...due, repeatOf, preview },
          ...dues,`,
    suite: 'sse-use-chat',
    tests: 'second of two calls in one step',
  },
  {
    name: 'a-response-without-the-answer-it-continues',
    rule: 'T2',
    file: callWriter,
    find: 'if (mayBringOutput) deferred = call;\n    else write(...settledChunk(call, placeOf(call)));',
    replace:
      'if (mayBringOutput) deferred = call;\n    else if (isSuspended) write(...settledChunk(call, placeOf(call)));',
    suite: 'sse-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'results-in-the-wrong-order',
    rule: 'T3',
    file: held,
    find: 'for (const call of turn.calls.values()) callWriter.showOutcome(call);',
    replace: 'for (const call of [...turn.calls.values()].toReversed()) callWriter.showOutcome(call);',
    suite: 'multi-tool-execution',
    tests: everyKind,
  },
  {
    name: 'results-before-text',
    rule: 'T3',
    file: held,
    find: 'writer.write(...prose.release(turn), ...limitChunks({ event, turn }, true));\n    for (const call of turn.calls.values()) callWriter.showOutcome(call);',
    replace:
      'for (const call of turn.calls.values()) callWriter.showOutcome(call);\n    writer.write(...prose.release(turn), ...limitChunks({ event, turn }, true));',
    suite: 'bidi-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'a-missing-final-text',
    rule: 'T3',
    file: heldProse,
    find: 'const released = blocks.flatMap((block) => blockChunks(block, turn));',
    replace: 'const released = blocks.slice(0, -1).flatMap((block) => blockChunks(block, turn));',
    suite: 'sse-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'text-in-the-wrong-order',
    rule: 'T3',
    file: heldProse,
    find: 'const released = blocks.flatMap((block) => blockChunks(block, turn));',
    replace: 'const released = blocks.toReversed().flatMap((block) => blockChunks(block, turn));',
    suite: 'sse-use-chat',
    tests: denyThenApprove,
  },
  {
    name: 'a-missing-result',
    rule: 'T3',
    file: callWriter,
    find: "call.kept === 'context') return;",
    replace: "call.kept === 'context' || call.asked) return;",
    suite: 'bidi-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'a-call-is-shown-twice',
    rule: 'T3',
    file: callWriter,
    find: 'write(...unlessBegun(outcomeChunks(call, placeOf(call), shown.has(call))));',
    replace: 'write(...unlessBegun(outcomeChunks(call, placeOf(call), false)));',
    suite: 'sse-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'an-outcome-of-a-call-that-was-never-shown',
    rule: 'T3',
    file: outcomeChunks,
    find: 'const before = shown ? [] : showCall(call, place, endedByServer);',
    replace: 'const before: UIMessageChunk[] = [];',
    suite: 'multi-tool-execution',
    tests: 'nothing is asked',
  },
  {
    name: 'a-message-for-each-response',
    rule: 'T4',
    file: chunkWriter,
    find: 'open({ turn: { messageId, metadata }, isInResponse }: TurnItem): boolean {',
    replace: 'open({ turn: { messageId, metadata }, isInResponse, event }: TurnItem): boolean {',
    also: [
      {
        file: chunkWriter,
        find: "out.push({ type: 'start', messageId, messageMetadata",
        replace: "out.push({ type: 'start', messageId: messageId + event.seq, messageMetadata",
      },
    ],
    suite: 'sse-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'responses-without-a-step-of-their-own',
    rule: 'T5',
    file: chunkWriter,
    find: 'last.beginRun();\n      beginStep();',
    replace: 'last.beginRun();',
    suite: 'sse-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'drafts-become-parts-of-the-message',
    rule: 'T6',
    file: held,
    find: "return { type: 'data-draft', transient: true,",
    replace: "return { type: 'data-draft',",
    suite: 'bidi-use-chat',
    tests: 'T6\\]',
  },
  {
    name: 'reports-tell-the-output',
    rule: 'T6',
    file: lifecycle,
    find: "const output = isWithheld && event.type === 'tool-progressed' ? event.output : undefined;",
    replace: "const output = 'output' in event ? event.output : undefined;",
    suite: 'sse-use-chat',
    tests: approveThenDeny,
  },
  {
    name: 'no-draft',
    rule: 'T6',
    file: held,
    find: 'writer.write(draftChunk(prose.draftOf(event)));\n',
    replace: '',
    suite: 'sse-use-chat',
    tests: 'T6\\]',
  },
];

/** What runs, and when. */
const ofCalls: TimingMutant[] = [
  {
    name: 'approved-calls-run-after-the-last-question',
    rule: 'T7',
    file: nextAction,
    find: 'const ready = due.flatMap(',
    replace: `const ask = due.find(({ type }) => type === 'ask');
  const isApproved = ({ answered }: Call) => answered !== undefined;
  if (ask && due.some((action) => action.type === 'execute' && action.calls.some(isApproved))) return ask;
  const ready = due.flatMap(`,
    suite: 'multi-tool-execution',
    tests: everyKind,
  },
  {
    name: 'the-next-of-three-questions-before-the-approved-call',
    rule: 'T7',
    file: nextAction,
    find: 'const ready = due.flatMap(',
    replace: `const ask = due.find(({ type }) => type === 'ask');
  const isApproved = ({ answered }: Call) => answered !== undefined;
  const gated = [...turn.calls.values()].filter(({ requested }) => requested.gate.type === 'ask');
  const isReady = due.some((action) => action.type === 'execute' && action.calls.some(isApproved));
  if (ask && isReady && gated.length > 2) return ask;
  const ready = due.flatMap(`,
    suite: 'adr-0004',
    tests: 'An approved call runs once',
  },
  {
    name: 'the-last-of-two-answers-in-one-request-counts',
    rule: 'H10',
    file: 'lib/commands/answer/sort-answers.ts',
    find: 'return new Map(answers.toReversed().map(',
    replace: 'return new Map(answers.map(',
    suite: 'adr-0004',
    tests: 'A denied call does not run',
  },
  {
    name: 'denied-calls-run',
    rule: 'T8',
    file: turn,
    find: 'answered?.approved === true || granted',
    replace: 'answered !== undefined || granted',
    also: [
      {
        file: 'lib/commands/answer/check-answer.ts',
        find: "return [answered, { type: 'tool-denied', toolCallId, ...given, modelOutput }];",
        replace: 'return [answered];',
      },
    ],
    suite: 'bidi-use-chat',
    tests: denyThenApprove,
  },
  {
    name: 'a-denial-ends-the-turn',
    rule: 'T8',
    file: nextAction,
    find: 'const due = pending.flatMap(',
    replace:
      "const isDenied = ownCalls(own).some(({ end }) => end?.type === 'tool-denied');\n  const due = (isDenied ? [] : pending).flatMap(",
    suite: 'sse-use-chat',
    tests: 'second of two calls in one step',
  },
  {
    name: 'text-is-held-where-nothing-could-ask',
    rule: 'T10',
    file: 'lib/commands/send-message.ts',
    find: "return mayEverAsk(settings) ? (settings.release ?? 'final') : 'progressive';",
    replace: "return settings.release ?? 'final';",
    suite: 'multi-tool-execution',
    tests: 'T10\\]',
  },
  {
    name: 'progressive-holds-results',
    rule: 'T11',
    file: live,
    find: 'if (call) callWriter.showOutcome(call);\n',
    replace: '',
    suite: 'bidi-use-chat',
    tests: 'approve, then deny: text before a question',
  },
  {
    name: 'a-client-tool-is-not-handed-over',
    rule: 'T13',
    file: callWriter,
    find: "if (call.requested.executor === 'client' && !call.asked) show(call);\n",
    replace: '',
    suite: 'sse-use-chat',
    tests: 'hands over a call without a question',
  },
  {
    name: 'a-silent-model-gives-an-empty-response',
    rule: 'T15',
    file: 'lib/run/step/finish-step.ts',
    find: 'if (!hasContent(turn)) {',
    replace: 'if (content.hasProse) {',
    suite: 'sse-use-chat',
    tests: 'T15\\]',
  },
  {
    name: 'a-stop-drops-what-was-withheld',
    rule: 'T16',
    file: held,
    find: 'release(item);\n',
    replace: "if (event.type !== 'run-cancelled') release(item);\n",
    suite: 'bidi-use-chat',
    tests: 'stops an active run',
  },
];

/** The rules of ADR 0004, broken one at a time. */
export const timingMutants: readonly TimingMutant[] = [...ofPredicates, ...ofResponses, ...ofCalls];
