import type { ApprovalFlow } from '../flow/approval-flow.ts';
import { CountersignError, parseApprovalId, type QuestionState } from '../protocol/index.ts';
import { formatStreamId } from '../protocol/stream-id.ts';
import { parseDecision } from './answers.ts';
import { pageQuery } from './page-query.ts';
import { questionHistory, questionJson } from './question-json.ts';
import { createRoute, type Route, type ServerSettings } from './route.ts';

/** Room for a reason and edited arguments, in bytes. */

const states: readonly QuestionState[] = [
  'open',
  'approved',
  'denied',
  'superseded',
  'expired',
  'cancelled',
  'tool-changed',
];

/** `GET /api/approvals`: the questions this principal may answer, oldest first. @source contract H9 */
export function listApprovals(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, query }) => {
    const state = parseState(query.get('state') ?? 'open');
    const page = await flow.approvals({ principal, state, ...pageQuery(query) });
    return Response.json({ approvals: page.items.map(questionJson), nextCursor: page.next });
  });
}

/**
 * `GET /api/approvals/{id}`: one question, with its history, and for whoever may edit its arguments the JSON Schema
 * that they must fit.
 *
 * @source contract H9
 */
export function readApproval(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, segment }) => {
    const question = await flow.approval({ principal, approvalId: parseApprovalId(segment(0)) });
    const { inputSchema } = question;
    return Response.json({
      approval: questionJson(question),
      history: questionHistory(question),
      ...(inputSchema !== undefined && { inputSchema }),
    });
  });
}

/**
 * `POST /api/approvals/{id}`: answers, from any device. The run goes on without a reader. A second answer gets 409
 * with the standing one.
 *
 * @source contract H10
 */
export function answerApproval(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, json, segment }) => {
    const approvalId = parseApprovalId(segment(0));
    const decision = parseDecision(await json());
    const question = await flow.answer({ principal, approvalId, via: 'http', ...decision });
    const { chatId, runId } = question;
    const stream = runId === undefined ? {} : { stream_id: formatStreamId(chatId, runId) };
    return Response.json({ approval: questionJson(question), ...stream });
  });
}

function parseState(value: string): QuestionState {
  const state = states.find((known) => known === value);
  if (state) return state;
  throw new CountersignError('invalid-request', `\`state\` must be one of: ${states.join(', ')}.`);
}
