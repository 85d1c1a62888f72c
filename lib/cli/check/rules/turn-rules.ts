import type { UIMessageChunk } from 'ai';
import {
  callIdOf,
  isOutcome,
  isQuestion,
  lifecycleOf,
} from '../../../testing/response-timing/chunk-kinds.ts';
import type { ClientTools } from '../turns/turn.ts';
import type { Found } from './finding.ts';
import { evidenceOf, type JudgedTurn } from './timing-rules.ts';

/** Findings that need whole turns, or a comparison of several: T7, T9, T10, T13, T14. */
export function findAcrossTurns(turns: readonly JudgedTurn[], clientTools: ClientTools): Found[] {
  return [
    findRunAtOnce(turns, clientTools),
    findAlike(turns),
    findUnasked(turns),
    findHandedOver(turns),
    providerApprovals,
  ];
}

/**
 * An approved call must leave a sign in the next response: a report that it started, or its outcome. A backend that
 * reports nothing and withholds outcomes may run it at any time.
 */
function findRunAtOnce(turns: readonly JudgedTurn[], clientTools: ClientTools): Found {
  const rule = 'T7';
  const title = 'an approved call runs immediately, and only once';
  const broken = evidenceOf(turns, ({ violations }) =>
    violations.filter((violation) => violation.rule === rule),
  );
  if (broken.length > 0) return { rule, title, status: 'fail', evidence: broken };
  const approved = turns.flatMap(({ turn, responses, callOf }) =>
    turn.answered
      .filter((answer) => answer.approved && !clientTools.has(answer.toolName))
      .map(({ toolCallId, asking }) => ({
        toolCallId: callOf(toolCallId),
        next: responses[asking + 1] ?? [],
      })),
  );
  if (approved.length === 0) return { rule, title, status: 'not-observed', note: 'no call was approved' };
  const silent = approved.filter(
    ({ toolCallId, next }) => !next.some((chunk) => showsRun(chunk, toolCallId)),
  );
  if (silent.length === 0) return { rule, title, status: 'pass' };
  const note = `${silent.length} of ${approved.length} approved calls gave no sign of when they ran`;
  return { rule, title, status: 'not-observed', note };
}

function showsRun(chunk: UIMessageChunk, toolCallId: string): boolean {
  const change = lifecycleOf(chunk);
  if (change) return change.toolCallId === toolCallId && change.phase !== 'requested';
  return isOutcome(chunk) && callIdOf(chunk) === toolCallId;
}

/** Whether the second call was requested in the same step as the first, or after the first had its result. */
function kindOf({ responses }: JudgedTurn): 'chained' | 'parallel' | 'unknown' {
  const [first = [], second = []] = responses;
  if (!second.some(isQuestion)) return 'unknown';
  const isRequest = (chunk: UIMessageChunk) => lifecycleOf(chunk)?.phase === 'requested';
  if (!first.some(isRequest)) return 'unknown';
  return second.some(isRequest) ? 'chained' : 'parallel';
}

function findAlike(turns: readonly JudgedTurn[]): Found {
  const rule = 'T9';
  const title = 'calls requested in one step and calls in sequence look alike';
  const kinds = new Set(turns.map(kindOf));
  const isBroken = turns.some(({ violations }) =>
    violations.some((found) => /^T([123]|11)$/.test(found.rule)),
  );
  if (isBroken) return { rule, title, status: 'not-observed', note: 'see the failures of T1-T3' };
  if (kinds.has('chained') && kinds.has('parallel')) return { rule, title, status: 'pass' };
  const note = 'this needs a turn of each kind, and reports of when each call was requested';
  return { rule, title, status: 'not-observed', note };
}

function findUnasked(turns: readonly JudgedTurn[]): Found {
  const rule = 'T10';
  const title = 'a turn without a question contains text, then outcomes';
  const unasked = turns.filter(({ asked, turn }) => !asked && turn.ended);
  const broken = evidenceOf(unasked, ({ violations }) => violations.filter((found) => found.rule === 'T3'));
  if (broken.length > 0) return { rule, title, status: 'fail', evidence: broken };
  if (unasked.length > 0) return { rule, title, status: 'pass' };
  return { rule, title, status: 'not-observed', note: 'every prompt led to a question' };
}

function findHandedOver(turns: readonly JudgedTurn[]): Found {
  const rule = 'T13';
  const title = 'a call for the client is handed over as the last part, and its output is accepted';
  const broken = evidenceOf(turns, ({ violations }) =>
    violations.filter((violation) => violation.rule === rule),
  );
  if (broken.length > 0) return { rule, title, status: 'fail', evidence: broken };
  const isHandedOver = ({ turn }: JudgedTurn) => turn.ended && turn.executed.length > 0;
  if (turns.some(isHandedOver)) return { rule, title, status: 'pass' };
  const left = new Set(
    turns.flatMap(({ turn }) => turn.chat.withoutOutcome().map(({ toolName }) => toolName)),
  );
  const note =
    left.size > 0
      ? `${[...left].join(', ')} got no outcome; if the client executes it, give --client-tool <name>=<json>`
      : 'no such call was made; give --client-tool, and a --prompt that leads to it';
  return { rule, title, status: 'not-observed', note };
}

const providerApprovals: Found = {
  rule: 'T14',
  title: "a provider's own approvals follow the same rules",
  status: 'not-observed',
  note: 'a question does not show who executes the call',
};
