import type { ToolSet } from 'ai';
import { createOutdatedQuestions } from '../commands/outdated/outdated-questions.ts';
import { systemClock } from '../protocol/clock/system-clock.ts';
import type { Logger } from '../protocol/index.ts';
import { createEngine } from '../run/engine.ts';
import { runtime } from '../runtime/runtime.ts';
import type { Context } from '../settings/call/call-settings.ts';
import { checkFlowSettings } from '../settings/checks/check-settings.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { withPluginTools } from '../settings/tools/plugin-tools.ts';
import { createCursors } from '../views/questions/cursors.ts';
import { createQuestionMarks } from '../views/questions/question-marks.ts';
import type { ApprovalFlow } from './approval-flow.ts';
import { createApprovals } from './approvals.ts';
import { createAudit } from './audit.ts';
import { createChats } from './chats.ts';
import { checkKeys } from './check-keys.ts';
import { withCurrentPrincipals } from './current-principals.ts';
import type { FlowPlugin, PluginMethods } from './plugin/plugin.ts';
import { setUpPlugins } from './plugin/set-up-plugins.ts';
import { createRandomIds } from './random-id.ts';
import { createReadiness } from './readiness.ts';
import { keepSweeping, sweep } from './sweep.ts';
import { createTools } from './tools.ts';

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
  const Plugins extends readonly FlowPlugin[] = [],
>(
  typed: FlowSettings<Tools, RuntimeContext, CallOptions> & { readonly plugins?: Plugins },
): ApprovalFlow & PluginMethods<Plugins> {
  // Internally, tools are identified by name. Only the author of the settings needs their types.
  const given = typed as unknown as FlowSettings;
  checkFlowSettings(given);
  const { store, clock = systemClock, logger = consoleLogger, random = createRandomIds() } = given;
  const settings: FlowSettings = withPluginTools({ ...given, clock, logger });
  const engine = createEngine(settings, { clock, logger, random });
  const { notifications, pauses } = engine;
  const outdated = createOutdatedQuestions(engine);
  const marks = createQuestionMarks(store, pauses, outdated);
  const cursors = createCursors(store, random);
  const readiness = createReadiness(engine);
  const approvals = createApprovals(engine, { marks, cursors });
  const plugins = setUpPlugins<Plugins>(typed.plugins, { ...engine, cursors, approvals });
  const endSweeping = keepSweeping(engine, outdated);
  plugins.start();

  const flow = withCurrentPrincipals(settings, {
    ...plugins.methods,
    id: settings.id,
    chats: createChats(engine, { marks, cursors }),
    approvals,
    tools: createTools(engine),
    audit: createAudit(engine, cursors),

    async recover() {
      await checkKeys(engine);
      for (const [from, to] of Object.entries(settings.formerIds ?? {})) await store.chats.reassign(from, to);
      await sweep(engine, outdated);
    },

    isReady: readiness.isReady,

    async close() {
      readiness.close();
      await Promise.all([endSweeping(), plugins.close()]);
      await outdated.close();
      await engine.close();
      notifications.close();
      // Servers cut their connections after this. Streams that end with the flow have sent their last frame by then.
      await runtime.turnOfEventLoop();
    },
  });
  return { ...flow, plugins: plugins.installed };
}

/** Logs only the error's name and message, never inputs or outputs. */
const consoleLogger: Logger = {
  warn: (message, facts) => console.warn(`countersign: ${message}`, facts),
  error: (message, facts) => console.error(`countersign: ${message}`, facts),
};
