import {
  awaitsClient,
  hasText,
  isAnswered,
  isDone,
  isOpen,
  isStandIn,
  isStepMark,
  isUsedUpStandIn,
  lastAssistantParts,
  type MessagesToJudge,
  type Part,
  settledCallIds,
} from '../vocabulary/parts.ts';

/**
 * Whether `useChat` should send the answers of the newest response by itself, over SSE. Each SSE response stands
 * alone, so only the parts after the last step mark count: an older question cannot be answered by this request.
 *
 * Pure, never throws, linear in the number of parts. For chats without client-executed tools.
 *
 * @source contract P1-P7
 */
export function sendAutomaticallyWhen(question: MessagesToJudge): boolean {
  return shouldSend(question, new Set());
}

/**
 * The same predicate for chats whose client executes tools itself: it waits for their outcomes and sends those too.
 *
 * @param settings.clientTools the names of the tools that have no `execute` on the server
 * @source contract P8
 */
export function createSendAutomaticallyWhen(settings: {
  clientTools: readonly string[];
}): (question: MessagesToJudge) => boolean {
  const clientTools = new Set(settings.clientTools);
  return (question) => shouldSend(question, clientTools);
}

function shouldSend(question: MessagesToJudge, clientTools: ReadonlySet<string>): boolean {
  const parts = lastAssistantParts(question);
  const mark = parts.findLastIndex(isStepMark);
  const response = parts.slice(mark + 1);
  const settled = settledCallIds(parts);
  const isNews = (part: Part) => isAnswered(part) || isDone(part, clientTools);

  if (!response.some((part) => isNews(part) && !isUsedUpStandIn(part, settled))) return false;

  const last = response.findLastIndex(isNews);
  const newest = response[last];
  // Within a marked step a model may speak after it calls; behind a stand-in it only speaks once it was answered.
  const textIsReply = mark === -1 || (newest !== undefined && isStandIn(newest));
  if (textIsReply && response.slice(last + 1).some(hasText)) return false;

  return !response.some((part) => isOpen(part) || awaitsClient(part, clientTools));
}
