import {
  awaitsClient,
  hasText,
  hasUnused,
  isAnswered,
  isConfirmationCall,
  isDone,
  isOpen,
  isPart,
  isStepMark,
  lastAssistantContent,
  type MessagesToJudge,
  type Part,
} from '../protocol/parts.ts';

/**
 * Whether `useChat` should automatically send the answers of the newest response, over SSE. SSE responses are
 * independent, so only the parts after the last step mark count: this request cannot answer an older
 * question.
 *
 * Pure, never throws, linear in the parts of the newest step. For chats without client-executed tools.
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
  let saysMore = false;
  let isMarked = false;
  // Reads from the end to the newest step, so the cost does not grow with the message.
  for (let index = content.length - 1; index >= 0 && !isMarked; index -= 1) {
    const part = content[index];
    if (!isPart(part)) continue;
    if (isOpen(part) || awaitsClient(part, clientTools)) return false;
    if (isAnswered(part) || isDone(part, clientTools)) news.push(part);
    else if (isStepMark(part)) isMarked = true;
    else if (news.length === 0) saysMore ||= hasText(part);
  }
  const [newest] = news;
  if (newest === undefined || !hasUnused(news, content)) return false;
  // In a marked step, text may follow a call before its answer. After a confirmation call, text follows only an answer.
  return !saysMore || (isMarked && !isConfirmationCall(newest));
}
