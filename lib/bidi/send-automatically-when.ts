import {
  areRepliedByOutcomes,
  awaitsClient,
  hasText,
  hasUnused,
  isAnswered,
  isConfirmationCall,
  isDone,
  isEmptyText,
  isMarked,
  isOpen,
  isPart,
  isStepMark,
  lastAssistantContent,
  lastUnsettled,
  type MessagesToJudge,
  type Part,
} from '../protocol/parts.ts';

/**
 * Whether `useChat` should automatically send the answers of the last message, over a WebSocket. One
 * connection feeds one growing message, so every question in it counts, in whichever step it is.
 *
 * Pure, never throws, linear in the number of parts. Of a part before the newest answer, it reads one field. For chats without
 * client-executed tools.
 *
 * @source P1-P7
 */
export function sendAutomaticallyWhen(question: MessagesToJudge): boolean {
  return shouldSend(question, new Set());
}

/**
 * The same predicate for chats whose client executes tools itself: it waits for their outcomes and sends those too.
 *
 * @param settings.clientTools the names of the tools that have no `execute` on the server
 * @source P8
 */
export function createSendAutomaticallyWhen(settings: {
  clientTools: readonly string[];
}): (question: MessagesToJudge) => boolean {
  const clientTools = new Set(settings.clientTools);
  return (question) => shouldSend(question, clientTools);
}

function shouldSend(question: MessagesToJudge, clientTools: ReadonlySet<string>): boolean {
  const content = lastAssistantContent(question);
  const news: Part[] = [];
  // Parts after the newest answer or outcome: in the current step, and in the steps after it.
  let saysMore = false;
  let doesMore = false;
  let doesMoreLater = false;
  let isNewerStep = false;
  for (let index = content.length - 1; index >= 0; index -= 1) {
    if (news.length > 0 && clientTools.size === 0) index = lastUnsettled(content, index);
    const part = content[index];
    if (!isPart(part)) continue;
    if (isOpen(part) || awaitsClient(part, clientTools)) return false;
    if (isAnswered(part) || isDone(part, clientTools)) news.push(part);
    else if (news.length > 0) continue;
    else if (isStepMark(part)) {
      isNewerStep = true;
      doesMoreLater ||= doesMore;
      saysMore = false;
      doesMore = false;
    } else {
      saysMore ||= hasText(part);
      doesMore ||= !isEmptyText(part);
    }
  }
  const [newest] = news;
  // Parts of a later step show that the backend took the answer; see P4.
  if (newest === undefined || doesMoreLater || !hasUnused(news, content)) return false;
  if (isNewerStep && areRepliedByOutcomes(news, content, clientTools)) return false;
  // In a marked step, text may follow a call before its answer. After a confirmation call, text follows only an answer.
  return !saysMore || (isMarked(content) && !isConfirmationCall(newest));
}
