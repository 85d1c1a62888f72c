import {
  awaitsClient,
  hasText,
  isAnswered,
  isDone,
  isEmptyText,
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
 * Whether `useChat` should send the answers of the last message by itself, over a WebSocket. One connection feeds
 * one growing message, so every question in it counts, whichever step it stands in.
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
  const settled = settledCallIds(parts);
  const isNews = (part: Part) => isAnswered(part) || isDone(part, clientTools);

  if (!parts.some((part) => isNews(part) && !isUsedUpStandIn(part, settled))) return false;
  if (hasReply(parts, parts.findLastIndex(isNews))) return false;
  return !parts.some((part) => isOpen(part) || awaitsClient(part, clientTools));
}

/** Whether the backend spoke or acted after it took the part at this index; see contract P4. */
function hasReply(parts: readonly Part[], index: number): boolean {
  const newest = parts[index];
  const after = parts.slice(index + 1);
  const nextMark = after.findIndex(isStepMark);
  const sameStep = nextMark === -1 ? after : after.slice(0, nextMark);
  const laterSteps = nextMark === -1 ? [] : after.slice(nextMark);
  if (laterSteps.some((part) => !isStepMark(part) && !isEmptyText(part))) return true;

  // Within a marked step a model may speak after it calls; behind a stand-in it only speaks once it was answered.
  const textIsReply = !parts.some(isStepMark) || (newest !== undefined && isStandIn(newest));
  return textIsReply && sameStep.some(hasText);
}
