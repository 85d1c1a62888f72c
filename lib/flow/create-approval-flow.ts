import type { ToolSet } from 'ai';
import {
  type Clock,
  CountersignError,
  type FlowEvent,
  type Logger,
  type Page,
  type Principal,
  personOf,
  type Question,
  type QuestionChange,
} from '../vocabulary/index.ts';
import { neverAsked, sortAnswers } from './answers.ts';
import { auditEntries } from './audit/audit-entries.ts';
import { cancelCall } from './cancel-call.ts';
import { checkSettings } from './check-settings.ts';
import { submitAnswered } from './continue-turn.ts';
import { createEngine } from './engine.ts';
import { currentHead, expireDue, expireIfDue, isDue } from './expiry.ts';
import { accessible, hasRules, mayAccess, mayAnswer, rightsTo } from './permissions.ts';
import { questionsOf } from './projections/question.ts';
import { shownEvents } from './projections/shown-events.ts';
import { storedChat } from './projections/stored-messages.ts';
import { questionFeed } from './question-feed.ts';
import { createRandomIds } from './random-id.ts';
import { respond } from './respond.ts';
import { retryCall } from './retry-call.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import { stopChat } from './stop.ts';
import { createStreams } from './streams.ts';
import { keepSweeping, sweep } from './sweep.ts';
import { inputSchemaOf, listTools } from './tool-list.ts';
import type { ApprovalFlow, FlowSettings, QuestionView } from './types.ts';

const defaultReplayMs = 60_000;
const defaultPage = 50;
const largestPage = 200;

/**
 * The engine of Countersign: owns what was asked, answered and run, for any number of transports.
 *
 * @example createApprovalFlow({ store: sqliteStore({ path: 'chats.sqlite' }), model, tools, toolApproval })
 * @source DESIGN, "Doors"
 */
export function createApprovalFlow<Tools extends ToolSet>(typed: FlowSettings<Tools>): ApprovalFlow {
  // Inside, tools are known by name only; their types matter to whoever writes the settings.
  const settings = typed as unknown as FlowSettings;
  const { store, clock = systemClock, logger = consoleLogger, random = createRandomIds() } = settings;
  checkSettings(settings);
  const engine = createEngine(settings, { clock, logger, random });
  const { wakes } = engine;
  const streams = createStreams(engine);
  const endSweeping = keepSweeping(engine);

  const view = (principal: Principal, question: Question): QuestionView => ({
    ...question,
    ...rightsTo(settings, principal, question),
  });

  /** A question that this principal may see: by answering rights, or by the chat it belongs to. */
  function isVisible(principal: Principal, question: Question): boolean {
    const chat = { id: question.chatId, ownerId: question.ownerId };
    return mayAnswer(settings, principal, question) || mayAccess(settings, principal, chat);
  }

  const flow: ApprovalFlow = {
    respond: (request) => respond(engine, streams, request),

    async resume({ chatId, principal }) {
      const head = await currentHead(engine, chatId);
      if (!head || !mayAccess(settings, principal, head)) return null;
      const ended = head.status === 'idle' || head.status === 'failed';
      const replayMs = settings.replayMs ?? defaultReplayMs;
      if (ended && clock.now() - head.updatedAt > replayMs) return null;
      return streams.replay(head, principal, { emitFrom: 0 });
    },

    async follow({ chatId, principal, runId, after, until }) {
      const head = await store.head(chatId);
      if (!head || !mayAccess(settings, principal, head)) return null;
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
      if (!question || !isVisible(principal, question)) throw neverAsked(approvalId);
      return retryOnConflict(engine, question.chatId, async () => {
        const current = await store.question(approvalId);
        if (!current) throw neverAsked(approvalId);
        if (isDue(engine, current)) {
          await expireIfDue(engine, current);
          return undefined;
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
        if (sorted.events.length === 0) return undefined;
        const runId = await submitAnswered(engine, journal, { principal }, sorted);
        const answered = await store.question(approvalId);
        return answered && { ...view(principal, answered), ...(sorted.awaitsOutput ? {} : { runId }) };
      });
    },

    stop: (request) => stopChat(engine, request),

    cancelCall: (request) => cancelCall(engine, request),

    retryCall: (request) => retryCall(engine, streams, request),

    tools: () => listTools(settings),

    async chat({ chatId, principal }) {
      const head = accessible(settings, principal, chatId, await currentHead(engine, chatId));
      const events = await store.read(chatId, 0);
      const { messages, draft } = storedChat(events, {
        chat: head,
        emitFrom: 0,
        replay: true,
        rights: (question) => rightsTo(settings, principal, question),
      });
      return {
        id: chatId,
        title: head.title,
        messages,
        ...(draft === undefined ? {} : { draft }),
        run: { status: head.status },
        ...(head.open === null ? {} : { open: head.open }),
        questions: questionsOf(events, head).map((question) => view(principal, question)),
      };
    },

    chats: ({ principal, cursor, limit }) =>
      store.chats({ ownerId: principal.id, cursor, limit: pageSize(limit) }),

    async rename({ chatId, principal, title }) {
      accessible(settings, principal, chatId, await store.head(chatId));
      await store.rename(chatId, title);
    },

    async erase({ chatId, principal }) {
      accessible(settings, principal, chatId, await store.head(chatId));
      await flow.stop({ chatId, principal });
      await store.erase(chatId, principal.id, clock.now());
      engine.transcripts.forget(chatId);
      engine.tails.forget(chatId);
    },

    async approvals({ principal, state, cursor, limit }): Promise<Page<QuestionView>> {
      // With a rule of one's own anybody's questions may be for this principal.
      const ownerId = hasRules(settings) ? undefined : principal.id;
      await expireDue(engine, largestPage);
      const page = await store.questions({ state, ownerId, cursor, limit: pageSize(limit) });
      const items = page.items.filter((question) => isVisible(principal, question));
      return { ...page, items: items.map((question) => view(principal, question)) };
    },

    async approval({ principal, approvalId }) {
      const found = await store.question(approvalId);
      if (found) await expireIfDue(engine, found);
      const question = found && (await store.question(approvalId));
      if (!question || !isVisible(principal, question)) throw neverAsked(approvalId);
      const seen = view(principal, question);
      return seen.mayEdit ? { ...seen, inputSchema: await inputSchemaOf(settings, question.toolName) } : seen;
    },

    async approvalFeed({ principal, after: from }) {
      const after = from ?? (await store.lastQuestionChange());
      await expireDue(engine, largestPage);
      const changes = questionFeed({ store, wakes, after }).pipeThrough(
        new TransformStream<QuestionChange, QuestionChange & { question: QuestionView }>({
          transform({ change, question }, controller) {
            if (isVisible(principal, question))
              controller.enqueue({ change, question: view(principal, question) });
          },
        }),
      );
      return { after, changes };
    },

    async remembered({ principal, cursor, limit }) {
      const page = await store.grantsOf({ personId: principal.id, cursor, limit: pageSize(limit) });
      return { ...page, items: page.items.map(({ key: _key, ...grant }) => grant) };
    },

    async forget({ principal, grantId }) {
      if (await store.revoke(grantId, principal.id)) return;
      throw new CountersignError('not-found', `You have no remembered approval ${grantId}.`, { grantId });
    },

    async timeline({ chatId, principal }) {
      accessible(settings, principal, chatId, await store.head(chatId));
      return shownEvents(await store.read(chatId, 0));
    },

    async audit({ chatId, principal }) {
      const head = accessible(settings, principal, chatId, await store.head(chatId));
      // What is appended meanwhile is not sealed into the head that was read.
      const events = (await store.read(chatId, 0)).filter(({ seq }) => seq <= head.seq);
      const entries = auditEntries(chatId, events, engine.auditor);
      return { entries, head: head.auditHead ?? '' };
    },

    recover: () => sweep(engine),

    async close() {
      endSweeping();
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
