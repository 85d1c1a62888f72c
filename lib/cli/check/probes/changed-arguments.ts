import { isToolUIPart, type UIMessageChunk } from 'ai';
import { isRecord } from '../../../protocol/index.ts';
import { ChatClient } from '../turns/chat-client.ts';
import { describeEnd } from '../turns/exchange.ts';
import { answerOpenQuestions, denyAll } from '../turns/turn.ts';
import { attempt, failed, judgeRefusal } from './attempt.ts';
import { traceOf } from './executions.ts';
import type { Probe, Sight, Stage } from './probe.ts';

/**
 * Approves the open question with a history that contains other arguments than those shown. If anything runs, it must
 * be the arguments that were shown.
 *
 * @source T12, H10
 */
export const changedArguments: Probe = {
  rule: 'T12',
  title: 'arguments that were changed in the history do not run',
  run,
};

async function run(stage: Stage): Promise<Sight> {
  const { open, recorder } = stage;
  const where = 'the open question, approved with other arguments';
  const [question] = open.openQuestions();
  if (!question) return { status: 'not-observed', note: 'no question was open' };
  const chat = new ChatClient(recorder.transport, open);
  const part = chat.lastMessage?.parts
    .filter(isToolUIPart)
    .find(({ toolCallId }) => toolCallId === question.toolCallId);
  if (!part) return { status: 'not-observed', note: 'no call was shown' };
  const original = part.input;
  part.input = changed(original);
  const novel = leavesOf(part.input).filter((leaf) => !leavesOf(original).includes(leaf));
  if (novel.length === 0) {
    return {
      status: 'not-observed',
      note: 'the arguments contain no text and no number that could be changed',
    };
  }

  const first = recorder.exchanges.length;
  await chat.addToolApprovalResponse({ id: question.approvalId, approved: true });
  const { exchange } = await attempt({ recorder, book: undefined }, () => chat.sendMessage());
  if (exchange.end.type === 'refused') return judgeRefusal(exchange.end);
  if (exchange.end.type === 'timeout') return failed(where, describeEnd(exchange.end), exchange.chunks);

  // A backend that withholds outcomes reports only at the end of the turn what it ran.
  await answerOpenQuestions(recorder, chat, denyAll);
  const chunks = recorder.exchanges.slice(first).flatMap((other) => other.chunks);
  const { outcomes } = traceOf(question.toolCallId, chunks);
  const believed = outcomes.filter((outcome) => novel.some((leaf) => mentions(outcome, leaf)));
  if (believed.length > 0) return failed(where, 'the changed arguments ran', believed);
  if (outcomes.some((outcome) => leavesOf(original).some((leaf) => mentions(outcome, leaf)))) {
    return { status: 'pass', note: 'the arguments that were shown ran' };
  }
  const error = chunks.some(({ type }) => type === 'error');
  if (error && outcomes.length === 0) return { status: 'pass', note: 'it was refused by an error chunk' };
  return { status: 'not-observed', note: 'the outcome does not say which arguments ran' };
}

/** Copies a value with other strings and numbers. */
function changed(value: unknown): unknown {
  if (typeof value === 'string') return `${value}-changed`;
  if (typeof value === 'number') return value * 10 + 7;
  if (Array.isArray(value)) return value.map(changed);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, changed(field)]));
}

function leavesOf(value: unknown): (string | number)[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number') return [value];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return isRecord(value) ? Object.values(value).flatMap(leavesOf) : [];
}

/** Whether an outcome contains a value, alone or within a string. */
function mentions(outcome: UIMessageChunk, leaf: string | number): boolean {
  const { toolCallId: _, ...said } = { toolCallId: '', ...outcome };
  return leavesOf(said).some((value) => {
    if (typeof leaf === 'string') return typeof value === 'string' && value.includes(leaf);
    return value === leaf || (typeof value === 'string' && value.split(/[^\d.]+/).includes(String(leaf)));
  });
}
