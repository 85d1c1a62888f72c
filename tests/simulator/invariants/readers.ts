import { isDeepStrictEqual } from 'node:util';
import type { Feed, History } from '../history.ts';
import { type Invariant, tally } from './invariant.ts';

/** At the end every instance shows the same chat, and nothing that is not in the log. */
export const readers: Invariant = {
  name: 'every reader sees what the log contains',
  check(history) {
    const { verify, result } = tally();
    const [first] = history.finals;
    for (const { chatId, instance, log, written, timeline, chat } of history.finals) {
      const other = history.finals.find((each) => each.chatId === chatId);
      verify(
        !isDeepStrictEqual(plain(log), plain(written)) &&
          `the log of ${chatId} is not what was written to it`,
        !isDeepStrictEqual(shapeOf(timeline), shapeOf(log)) &&
          `${instance} shows a timeline of ${chatId} that is not its log`,
        other &&
          !isDeepStrictEqual(withoutMarks(chat), withoutMarks(other.chat)) &&
          `${other.instance} and ${instance} show ${chatId} differently`,
      );
    }
    const open = new Map<string, Set<string>>();
    for (const { chatId, chat, instance } of history.finals) {
      const owner = history.owners.get(chatId) ?? '';
      const ids = open.get(`${owner} ${instance}`) ?? new Set();
      open.set(`${owner} ${instance}`, ids);
      if (typeof chat?.open === 'string') ids.add(chat.open);
    }
    for (const { who, instance, open: listed } of history.listed) {
      const own = open.get(`${who} ${instance}`) ?? new Set();
      const missing = [...own].filter((id) => !listed.includes(id));
      verify(
        missing.length > 0 &&
          first !== undefined &&
          isTheirs(history, missing) &&
          `${instance} does not list ${missing.join(', ')} for ${who}`,
      );
    }
    for (const feed of history.feeds) {
      if (!feed.isOpen) continue;
      for (const { id, state, chatId } of questionsAfter(history, feed)) {
        const received = feed.states.get(id);
        verify(
          received !== state &&
            `the feed of ${feed.who} at ${feed.instance} says ${received} for ${id} in ${chatId}, which is ${state}`,
        );
      }
    }
    return result();
  },
};

/** The questions in a reader's own chats asked after the feed began, in their final state. */
function questionsAfter(history: History, { who, moment, instance }: Feed) {
  const shown = history.finals.filter(
    (each) => each.instance === instance && history.owners.get(each.chatId) === who,
  );
  return shown.flatMap(({ chatId, chat }) => {
    const asked = new Set(
      history.logs
        .get(chatId)
        ?.flatMap(({ event, moment: at }) =>
          event.type === 'approval-requested' && at > moment ? [event.approvalId as string] : [],
        ),
    );
    const questions = (chat?.questions ?? []) as {
      id: string;
      state: string;
      toolName: string;
      chatId: string;
    }[];
    return questions.filter(({ id, toolName }) => asked.has(id) && !toolName.endsWith('boss'));
  });
}

/** A question that only a manager may answer is in no owner's list. */
function isTheirs({ logs }: Parameters<Invariant['check']>[0], ids: readonly string[]): boolean {
  return [...logs.values()].flat().some(({ event }, _, all) => {
    if (event.type !== 'approval-requested' || !ids.includes(event.approvalId)) return false;
    return !all.some(
      ({ event: other }) =>
        other.type === 'tool-requested' &&
        other.toolCallId === event.toolCallId &&
        other.toolName.endsWith('boss'),
    );
  });
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function shapeOf(events: unknown): string[] {
  return (events as { seq: number; type: string }[]).map(({ seq, type }) => `${seq} ${type}`);
}

/** Whether a question is outdated depends on the tools of the instance. */
function withoutMarks(chat: unknown): unknown {
  return JSON.parse(JSON.stringify(chat ?? null), (key, value) => (key === 'outdated' ? undefined : value));
}
