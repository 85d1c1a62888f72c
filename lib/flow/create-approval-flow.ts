import type { ToolSet } from 'ai';
import { neverAsked, sortAnswers } from '../commands/answer.ts';
import { askAgain } from '../commands/ask-again.ts';
import { cancelCall } from '../commands/cancel-call.ts';
import { submitAnswered } from '../commands/continue-turn.ts';
import { eraseChat } from '../commands/erase.ts';
import { currentHead, expireDue, expireIfDue, isDue } from '../commands/expire.ts';
import { createOutdatedQuestions } from '../commands/outdated-questions.ts';
import { keptRecords, purgeRecord } from '../commands/purge.ts';
import { questionChanged, replacementOf } from '../commands/question-changed.ts';
import { resolveByPerson } from '../commands/resolve-outcome.ts';
import { retryCall } from '../commands/retry-call.ts';
import { respond } from '../commands/send-message.ts';
import { stopChat } from '../commands/stop.ts';
import { questionsOf } from '../log/question.ts';
import {
  type Clock,
  CountersignError,
  type FlowEvent,
  flowLogId,
  type Logger,
  type Page,
  type Principal,
  personOf,
  type Question,
} from '../protocol/index.ts';
import {
  accessible,
  hasRules,
  mayAccess,
  noRights,
  rightsTo,
  rightsToEach,
  visibleRights,
  visibleRightsToEach,
} from '../rights/permissions.ts';
import type { QuestionView } from '../rights/question-rights.ts';
import { visiblePage } from '../rights/visible-page.ts';
import { createEngine } from '../run/engine.ts';
import { retryOnConflict } from '../run/retry-on-conflict.ts';
import { checkFlowSettings } from '../settings/check-settings.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { auditEntries } from '../views/audit/audit-entries.ts';
import { exportRecord } from '../views/audit/export-record.ts';
import { storedChat } from '../views/chat/stored-chat.ts';
import { openApprovalFeed } from '../views/questions/approval-feed.ts';
import { createCursors } from '../views/questions/cursors.ts';
import { createQuestionMarks } from '../views/questions/question-marks.ts';
import { createSharedFeeds } from '../views/questions/shared-feeds.ts';
import { createStreams } from '../views/streams.ts';
import { shownEvents } from '../views/timeline/shown-events.ts';
import { inputSchemaOf, listTools } from '../views/tool-list.ts';
import type { ApprovalFlow } from './approval-flow.ts';
import { checkKeys } from './check-keys.ts';
import { createRandomIds } from './random-id.ts';
import { keepSweeping, sweep } from './sweep.ts';

const defaultReplayMs = 60_000;
const defaultPage = 50;
const largestPage = 200;

/**
 * The engine of Countersign: owns what was asked, answered and run, for any number of transports.
 *
 * @throws CountersignError `invalid-settings` for a setting that is misspelt, missing or of the wrong kind, with its `path`
 *   and the nearest valid name; the value is never printed
 * @example createApprovalFlow({ store: sqliteStore({ path: 'chats.sqlite' }), model, tools, toolApproval })
 * @source DESIGN, "Doors"
 */
export function createApprovalFlow<Tools extends ToolSet>(typed: FlowSettings<Tools>): ApprovalFlow {
  // Inside, tools are known by name only; their types matter to whoever writes the settings.
  const given = typed as unknown as FlowSettings;
  checkFlowSettings(given);
  const { store, clock = systemClock, logger = consoleLogger, random = createRandomIds() } = given;
  const settings: FlowSettings = { ...given, clock, logger };
  const engine = createEngine(settings, { clock, logger, random });
  const { wakes } = engine;
  const outdated = createOutdatedQuestions(engine);
  const { markOf, marksOf } = createQuestionMarks(store, engine.pauses, outdated);
  const streams = createStreams(engine, markOf);
  const cursors = createCursors(store, random);
  const endSweeping = keepSweeping(engine, outdated);

  /** A question as this principal may see it; `undefined` when it may not. */
  async function visible(
    principal: Principal,
    question: Question | undefined,
  ): Promise<QuestionView | undefined> {
    const rights = question && (await visibleRights(settings, principal, question));
    return rights && { ...question, ...rights, ...(await markOf(question)) };
  }

  const feeds = createSharedFeeds(store, wakes, visible);

  const flow: ApprovalFlow = {
    respond: (request) => respond(engine, streams, request),

    async resume({ chatId, principal }) {
      const head = await currentHead(engine, principal, chatId);
      if (!head || !(await mayAccess(settings, principal, head))) return null;
      const ended = head.status === 'idle' || head.status === 'failed';
      const replayMs = settings.replayMs ?? defaultReplayMs;
      if (ended && engine.clock.now() - head.updatedAt > replayMs) return null;
      return streams.replay(head, principal, { emitFrom: 0 });
    },

    async follow({ chatId, principal, runId, after, until }) {
      const head = await store.head(chatId);
      if (!head || !(await mayAccess(settings, principal, head))) return null;
      const isStart = (event: FlowEvent) => event.type === 'run-started' && event.runId === runId;
      const turn = engine.tails.turnOf(head) ?? (await store.read(chatId, head.turnSeq - 1));
      const events = turn.some(isStart) ? turn : await store.read(chatId, 0);
      const start = events.findLast(isStart);
      if (!start) return null;
      const turnSeq = events.findLast(({ seq, type }) => seq < start.seq && beginsTurn(type))?.seq ?? 1;
      const emitFrom = Math.max(start.seq, (after ?? 0) + 1);
      return streams.response({ ...head, turnSeq }, principal, { runId, emitFrom, until });
    },

    async answer({ principal, via, ...answer }) {
      const { approvalId } = answer;
      const question = await store.question(approvalId);
      if (!question || !(await visible(principal, question))) throw neverAsked(approvalId);
      return retryOnConflict(engine, question.chatId, async () => {
        const current = await store.question(approvalId);
        if (!current) throw neverAsked(approvalId);
        if (await isDue(engine, current)) {
          await expireIfDue(engine, current);
          return undefined;
        }
        if (current.state === 'tool-changed') {
          const replacedBy = replacementOf(await store.read(current.chatId, 0), approvalId);
          throw questionChanged(approvalId, current.chatId, { replacedBy });
        }
        if (current.state !== 'open') throw settled(current);
        const head = await store.head(current.chatId);
        if (!head) throw neverAsked(approvalId);
        const journal = await engine.openJournal(head);
        const { chatId } = current;
        const by = personOf(principal);
        const sorted = await sortAnswers(engine, journal, {
          chatId,
          principal,
          by,
          via,
          answers: [answer],
        });
        if (sorted.changed) {
          const { call, why } = sorted.changed;
          const asked = await askAgain(engine, journal, call, why, principal);
          throw questionChanged(approvalId, chatId, asked);
        }
        if (sorted.events.length === 0) return undefined;
        const runId = await submitAnswered(engine, journal, { principal }, sorted);
        const answered = await store.question(approvalId);
        if (!answered) return undefined;
        const rights = await rightsTo(settings, principal, answered);
        return { ...answered, ...rights, ...(sorted.awaitsOutput ? {} : { runId }) };
      });
    },

    stop: (request) => stopChat(engine, request),

    cancelCall: (request) => cancelCall(engine, request),

    retryCall: (request) => retryCall(engine, streams, request),

    resolveOutcome: (request) => resolveByPerson(engine, request),

    tools: () => listTools(settings),

    async chat({ chatId, principal }) {
      const head = await accessible(
        settings,
        principal,
        chatId,
        await currentHead(engine, principal, chatId),
      );
      const events = await store.read(chatId, 0);
      const asked = questionsOf(events, head);
      const [granted, marks] = await Promise.all([rightsToEach(settings, principal, asked), marksOf(asked)]);
      const rights = granted.map((own, index) => ({ ...own, ...marks[index] }));
      const rightsById = new Map(asked.map(({ id }, index) => [id, rights[index]]));
      const { messages, draft } = storedChat(events, {
        chat: head,
        emitFrom: 0,
        replay: true,
        rights: ({ id }) => rightsById.get(id) ?? noRights,
      });
      return {
        id: chatId,
        title: head.title,
        messages,
        ...(draft === undefined ? {} : { draft }),
        run: { status: head.status },
        ...(head.open === null ? {} : { open: head.open }),
        questions: asked.map((question, index) => ({ ...question, ...(rights[index] ?? noRights) })),
      };
    },

    async chats({ principal, cursor, limit }) {
      const query = { cursor, limit: pageSize(limit) };
      return cursors.page('chats', principal, query, async (from) => {
        const page = await store.chats({ ownerId: principal.id, ...from });
        return { ...page, items: page.items.filter(({ id }) => id !== flowLogId) };
      });
    },

    async rename({ chatId, principal, title }) {
      await accessible(settings, principal, chatId, await store.head(chatId));
      await store.rename(chatId, title);
    },

    async erase({ chatId, principal }) {
      await accessible(settings, principal, chatId, await store.head(chatId));
      await flow.stop({ chatId, principal });
      await eraseChat(engine, chatId, principal.id);
    },

    keptRecords: ({ principal, chatId, cursor, limit }) =>
      cursors.page('records', principal, { cursor, limit: pageSize(limit) }, (from) =>
        keptRecords(engine, principal, { chatId, ...from }),
      ),

    purge: (request) => purgeRecord(engine, request),

    auditExport: () => exportRecord(engine),

    async approvals({ principal, state, cursor, limit }): Promise<Page<QuestionView>> {
      // With a rule of one's own anybody's questions may be for this principal.
      const ownerId = hasRules(settings) ? undefined : principal.id;
      await expireDue(engine, largestPage);
      const page = await cursors.page('approvals', principal, { cursor, limit: pageSize(limit) }, (from) =>
        visiblePage(
          from,
          (query) => store.questions({ state, ownerId, ...query }),
          async (questions) => {
            const rights = await visibleRightsToEach(settings, principal, questions);
            return questions.map((question, index) => rights[index] && { ...question, ...rights[index] });
          },
        ),
      );
      const marks = await marksOf(page.items);
      return { ...page, items: page.items.map((question, index) => ({ ...question, ...marks[index] })) };
    },

    async approval({ principal, approvalId }) {
      const found = await store.question(approvalId);
      if (found && (await isDue(engine, found))) {
        if (!(await visible(principal, found))) throw neverAsked(approvalId);
        await expireIfDue(engine, found);
      }
      const seen = found && (await visible(principal, await store.question(approvalId)));
      if (!seen) throw neverAsked(approvalId);
      return seen.mayEdit ? { ...seen, inputSchema: await inputSchemaOf(settings, seen.toolName) } : seen;
    },

    approvalFeed: (request) => openApprovalFeed(engine, feeds, cursors, request),

    async remembered({ principal, cursor, limit }) {
      const page = await cursors.page('remembered', principal, { cursor, limit: pageSize(limit) }, (from) =>
        store.grantsOf({ personId: principal.id, ...from }),
      );
      return { ...page, items: page.items.map(({ key: _key, seal: _seal, ...grant }) => grant) };
    },

    async forget({ principal, grantId }) {
      if (await store.revoke(grantId, principal.id)) return;
      throw new CountersignError('not-found', `You have no remembered approval ${grantId}.`, { grantId });
    },

    async timeline({ chatId, principal }) {
      await accessible(settings, principal, chatId, await store.head(chatId));
      return shownEvents(await store.read(chatId, 0));
    },

    async audit({ chatId, principal }) {
      const head = await accessible(settings, principal, chatId, await store.head(chatId));
      // What is appended meanwhile is not sealed into the head that was read.
      const events = (await store.read(chatId, 0)).filter(({ seq }) => seq <= head.seq);
      if (!engine.auditor) return { entries: [], head: head.auditHead ?? '', faults: [] };
      const { entries, faults } = auditEntries(chatId, events, engine.auditor);
      return { entries: entries.map(({ entry }) => entry), head: head.auditHead ?? '', faults };
    },

    pause: (request) => engine.pauses.pause(request),
    unpause: (request) => engine.pauses.unpause(request),
    async pauses() {
      await engine.pauses.refresh();
      return engine.pauses.all();
    },

    async recover() {
      await checkKeys(engine);
      for (const [from, to] of Object.entries(settings.formerIds ?? {})) await store.reassign(from, to);
      await sweep(engine, outdated);
    },

    async close() {
      endSweeping();
      await outdated.close();
      await engine.close();
      wakes.close();
    },
  };
  return flow;
}

function beginsTurn(type: FlowEvent['type']): boolean {
  return type === 'message-received' || type === 'history-cut';
}

function settled({ id, state, answer }: Question): CountersignError {
  if (answer) {
    const { approved, reason, by, at } = answer;
    return new CountersignError('already-answered', `Question ${id} was answered by ${by.name} already.`, {
      approvalId: id,
      answer: { approved, ...(reason === undefined ? {} : { reason }), by, at: new Date(at).toISOString() },
    });
  }
  return state === 'expired'
    ? new CountersignError('expired', `Question ${id} has expired.`, { approvalId: id })
    : new CountersignError('superseded', `Question ${id} was withdrawn (${state}).`, { approvalId: id });
}

function pageSize(limit = defaultPage): number {
  return Math.max(1, Math.min(limit, largestPage));
}

const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Facts only: errors by name and message, never inputs or outputs. */
const consoleLogger: Logger = {
  warn: (message, facts) => console.warn(`countersign: ${message}`, facts),
  error: (message, facts) => console.error(`countersign: ${message}`, facts),
};
