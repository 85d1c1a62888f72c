import type { FlowStore } from '../../log/store-port.ts';
import { func, port, type SettingCheck } from '../../protocol/settings.ts';
import { checkStoreEscalates } from '../escalation/escalation-checks.ts';
import type { FlowSettings } from '../flow-settings.ts';

/** A custom store may have additional methods. */
const storeMethods = Object.keys({
  append: true,
  read: true,
  head: true,
  chats: true,
  staleChats: true,
  restingHeads: true,
  rename: true,
  reassign: true,
  erase: true,
  erasedAt: true,
  keptRecords: true,
  dropRecords: true,
  question: true,
  questions: true,
  dueQuestions: true,
  questionChanges: true,
  lastQuestionChange: true,
  recentCalls: true,
  grants: true,
  grantsOf: true,
  revoke: true,
  claimLease: true,
  orphans: true,
  requestStop: true,
  stopRequested: true,
  announce: true,
  retire: true,
  subscribe: true,
  cursorKey: true,
  close: true,
} satisfies Record<
  Exclude<keyof FlowStore, 'clock' | 'subscriptions' | 'insights' | (typeof optionalMethods)[number]>,
  true
>);

const optionalMethods = [
  'settledQuestions',
  'questionsToEscalate',
  'chatsChangedSince',
  'addResultPart',
  'resultPart',
] as const;

const storeClock = port('now', 'measure');
const storeInsights = port('read', 'feed', 'write');

/** A store with all methods that the flow needs. */
export const storeCheck =
  (settings: FlowSettings): SettingCheck =>
  (value, path) => {
    port(...storeMethods)(value, path);
    const { clock: own, insights, ...given } = value as Partial<FlowStore>;
    if (own !== undefined) storeClock(own, `${path}.clock`);
    if (insights !== undefined) storeInsights(insights, `${path}.insights`);
    for (const name of optionalMethods) if (given[name] !== undefined) func(given[name], `${path}.${name}`);
    checkStoreEscalates(settings, path);
  };
