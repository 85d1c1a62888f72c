import {
  type EarlierCall,
  errorPlace,
  type Principal,
  type Question,
  type Repeat,
} from '../protocol/index.ts';
import type { FlowSettings, RuledQuestion } from '../settings/flow-settings.ts';
import { detailsOf } from '../settings/tools/tool-details.ts';
import { mayRead } from './permissions.ts';
import type { QuestionRights } from './question-rights.ts';

type Evidence = Pick<QuestionRights, 'repeatOf' | 'earlier'>;

/** What this principal is shown of the calls that a question mentions. Of a chat that it may not see, it learns no place and no error. */
export async function shownEvidence(
  settings: FlowSettings,
  principal: Principal,
  { repeatOf, earlier, chatId, ownerId }: Question,
): Promise<Evidence> {
  return {
    ...(repeatOf && (await shownRepeat(settings, principal, repeatOf))),
    ...(earlier && (await shownEarlier(settings, principal, earlier, { id: chatId, ownerId }))),
  };
}

export function evidenceWithoutChats({ repeatOf, earlier }: Question): Evidence {
  return {
    repeatOf: repeatOf && { at: repeatOf.at, outcome: repeatOf.outcome },
    earlier: earlier?.map(withoutError),
  };
}

/** Where an earlier call happened is hidden from people who may not see that chat. */
async function shownRepeat(
  settings: FlowSettings,
  principal: Principal,
  { at, outcome, chatId, ownerId, toolCallId }: Repeat,
): Promise<Evidence> {
  const isSeen =
    chatId !== undefined &&
    ownerId !== undefined &&
    (await mayRead(settings, principal, { id: chatId, ownerId }));
  return { repeatOf: { at, outcome, ...(isSeen && { chatId, toolCallId }) } };
}

/** The error of an earlier call is part of the chat: only people who may see the chat read it. */
async function shownEarlier(
  settings: FlowSettings,
  principal: Principal,
  earlier: readonly EarlierCall[],
  chat: Parameters<typeof mayRead>[2],
): Promise<Evidence> {
  if (await mayRead(settings, principal, chat)) return { earlier };
  return { earlier: earlier.map(withoutError) };
}

function withoutError({ toolCallId, toolName, title, outcome }: EarlierCall): EarlierCall {
  return { toolCallId, toolName, outcome, title };
}

const longestNote = 500;

export function whoMayAnswer(
  settings: FlowSettings,
  principal: Principal,
  question: RuledQuestion,
): Pick<QuestionRights, 'whoMayAnswer'> {
  const { id: approvalId, chatId, toolName, state } = question;
  const details = detailsOf(settings, toolName);
  if (!details.whoMayAnswer || state !== 'open') return {};
  try {
    const note = details.whoMayAnswer(principal, question);
    return typeof note === 'string' && note.trim() !== '' ? { whoMayAnswer: note.slice(0, longestNote) } : {};
  } catch (error) {
    const facts = { toolName, chatId, approvalId, error: errorPlace(error) };
    settings.logger?.error('`whoMayAnswer` of a tool failed. The default is shown.', facts);
    return {};
  }
}
