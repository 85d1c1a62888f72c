import type { ToolSet } from 'ai';
import { approveUpcoming } from '../commands/advance/approve-upcoming.ts';
import { readUpcoming } from '../commands/advance/upcoming.ts';
import { answerQuestion } from '../commands/answer/answer-question.ts';
import { createPreviews } from '../commands/answer/preview-question.ts';
import { cancelCall } from '../commands/cancel-call.ts';
import { delegate, listDelegations, revokeDelegation, searchPeople } from '../commands/delegate.ts';
import { eraseChat } from '../commands/erase.ts';
import { importChat } from '../commands/import/import-chat.ts';
import { createOutdatedQuestions } from '../commands/outdated/outdated-questions.ts';
import { keptRecords, purgeRecord } from '../commands/purge.ts';
import { requestApproval } from '../commands/request-approval.ts';
import { resolveByPerson } from '../commands/resolve-outcome.ts';
import { createRespond } from '../commands/respond.ts';
import { retryCall } from '../commands/retry-call.ts';
import { stopChat } from '../commands/stop.ts';
import { writerFor } from '../commands/write-data.ts';
import { messageOfKey } from '../log/keyed-messages.ts';
import type { FlowStore } from '../log/store-port.ts';
import { systemClock } from '../protocol/clock/system-clock.ts';
import { CountersignError, type Logger } from '../protocol/index.ts';
import { changeable } from '../rights/permissions.ts';
import { createEngine } from '../run/engine.ts';
import { rehearse } from '../run/rehearse/rehearse.ts';
import { runtime } from '../runtime/runtime.ts';
import { withAgentRequests } from '../settings/agent-requests/agent-requests.ts';
import type { Context } from '../settings/call/call-settings.ts';
import { checkFlowSettings } from '../settings/checks/check-settings.ts';
import { underCurrentNames } from '../settings/checks/under-current-names.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { startSubscriptions } from '../subscriptions/subscriptions.ts';
import { exportRecord } from '../views/audit/export-record.ts';
import { readInsights } from '../views/insights/read-insights.ts';
import { type Cursors, createCursors } from '../views/questions/cursors.ts';
import { createQuestionMarks } from '../views/questions/question-marks.ts';
import { createStreams } from '../views/streams.ts';
import { listTools } from '../views/tool-listing.ts';
import type { ApprovalFlow } from './approval-flow.ts';
import { checkKeys } from './check-keys.ts';
import { createDeliveryMethods } from './dead-deliveries.ts';
import { pageSize } from './page-size.ts';
import { createRandomIds } from './random-id.ts';
import { createChatReads } from './read-chats.ts';
import { readOperations } from './read-operations.ts';
import { createQuestionReads } from './read-questions.ts';
import { createStreamReads } from './read-streams.ts';
import { createReadiness } from './readiness.ts';
import { keepSweeping, sweep } from './sweep.ts';

/**
 * Creates the engine of Countersign, which records questions, answers and executions for any number of
 * transports.
 *
 * @throws CountersignError `invalid-settings` for a setting that is misspelled, missing or of the wrong type,
 *   with its `path` and the nearest valid name; the value is never included
 * @example createApprovalFlow({ store: sqliteStore({ path: 'chats.sqlite' }), model, tools, toolApproval })
 */
export function createApprovalFlow<
  Tools extends ToolSet,
  RuntimeContext extends Context = Context,
  CallOptions = never,
>(typed: FlowSettings<Tools, RuntimeContext, CallOptions>): ApprovalFlow {
  // Internally, tools are identified by name. Only the author of the settings needs their types.
  const named = typed as unknown as FlowSettings;
  checkFlowSettings(named);
  const given = underCurrentNames(named);
  const { store, clock = systemClock, logger = consoleLogger, random = createRandomIds() } = given;
  const settings: FlowSettings = withAgentRequests({ ...given, clock, logger });
  const engine = createEngine(settings, { clock, logger, random });
  const { notifications, recentEvents, readers, pauses } = engine;
  const outdated = createOutdatedQuestions(engine);
  const marks = createQuestionMarks(store, pauses, outdated);
  const streams = createStreams({
    store,
    recentEvents,
    notifications,
    readers,
    settings: engine.settings,
    markOf: marks.markOf,
  });
  const cursors = createCursors(store, random);
  const readiness = createReadiness(engine);
  const endSweeping = keepSweeping(engine, outdated);
  const subscriptions = startSubscriptions({ ...engine, owner: engine.holder.owner });

  return {
    id: settings.id,
    respond: createRespond(engine, streams),
    ...createStreamReads(engine, streams),
    findMessage: ({ principal, key }) => messageOfKey(store, principal.id, key),
    writer: (request) => writerFor(engine, request),
    answer: (request) => answerQuestion(engine, request),
    preview: createPreviews(engine),
    upcoming: (request) => readUpcoming(engine, request),
    approveUpcoming: (request) => approveUpcoming(engine, request),
    stop: (request) => stopChat(engine, request),
    cancelCall: (request) => cancelCall(engine, request),
    retryCall: (request) => retryCall(engine, streams, request),
    resolveOutcome: (request) => resolveByPerson(engine, request),
    tools: () => listTools(settings),
    ...createChatReads(engine, { marks, cursors }),

    async rename({ chatId, principal, title }) {
      await changeable(settings, principal, chatId, await store.head(chatId));
      await store.rename(chatId, title);
    },

    async erase({ chatId, principal }) {
      await changeable(settings, principal, chatId, await store.head(chatId));
      await stopChat(engine, { chatId, principal });
      await eraseChat(engine, chatId, principal.id);
    },

    keptRecords: ({ principal, chatId, cursor, limit }) =>
      cursors.page('records', principal, { cursor, limit: pageSize(limit) }, (from) =>
        keptRecords(engine, principal, { chatId, ...from }),
      ),
    purge: (request) => purgeRecord(engine, request),
    auditExport: () => exportRecord(engine),
    ...createQuestionReads(engine, { marks, cursors }),

    ...rememberedApprovals(store, cursors),
    delegate: (request) => delegate(engine, request),
    delegations: ({ principal }) => listDelegations(engine, principal),
    revokeDelegation: (request) => revokeDelegation(engine, request),
    people: (request) => searchPeople(engine, request),
    requestApproval: (request) => requestApproval(engine, request),
    importChat: (request) => importChat(engine, request),
    pause: (request) => pauses.pause(request),
    unpause: (request) => pauses.unpause(request),
    async pauses() {
      await pauses.refresh();
      return pauses.all();
    },

    rehearse: (request) => rehearse(engine, request),
    operations: ({ principal }) => readOperations(engine, principal),
    insights: (request) => readInsights(engine, request),
    ...createDeliveryMethods(engine, { cursors, subscriptions }),

    async recover() {
      await checkKeys(engine);
      for (const [from, to] of Object.entries(settings.formerIds ?? {})) await store.reassign(from, to);
      await sweep(engine, outdated);
    },

    isReady: readiness.isReady,

    async close() {
      readiness.close();
      await Promise.all([endSweeping(), subscriptions.close()]);
      await outdated.close();
      await engine.close();
      notifications.close();
      // Servers cut their connections after this. Streams that end with the flow have sent their last frame by then.
      await runtime.turnOfEventLoop();
    },
  };
}

/** What a person has remembered, without its key and its seal. */
function rememberedApprovals(
  store: FlowStore,
  cursors: Cursors,
): Pick<ApprovalFlow, 'remembered' | 'forget'> {
  return {
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
  };
}

/** Logs only the error's name and message, never inputs or outputs. */
const consoleLogger: Logger = {
  warn: (message, facts) => console.warn(`countersign: ${message}`, facts),
  error: (message, facts) => console.error(`countersign: ${message}`, facts),
};
