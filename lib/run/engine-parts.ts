import type { FlowClock } from '../log/flow-clock.ts';
import type { FlowLog } from '../log/flow-log/flow-log.ts';
import type { Pauses } from '../log/flow-log/pauses.ts';
import type { Notifications } from '../log/follow/notifications.ts';
import type { Readers } from '../log/follow/readers.ts';
import type { RecentEvents } from '../log/follow/recent-events.ts';
import type { Auditor } from '../log/seal/auditor.ts';
import type { FlowStore } from '../log/store-port.ts';
import type { Ids, Logger } from '../protocol/index.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import type { Transcripts } from '../views/transcripts.ts';
import type { Schemas } from './call/schemas.ts';
import type { CalledBack } from './callbacks/callbacks.ts';
import type { RecentOutcomes } from './outcomes/recent-outcomes.ts';

/** What all commands and runs of a flow share. */
export type EngineParts = {
  readonly settings: FlowSettings;
  readonly store: FlowStore;
  readonly clock: FlowClock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly transcripts: Transcripts;
  readonly recentEvents: RecentEvents;
  readonly notifications: Notifications;
  readonly readers: Readers;
  readonly schemas: Schemas;
  /** Present when the flow has an audit key. */
  readonly auditor?: Auditor;
  readonly flowLog: FlowLog;
  readonly pauses: Pauses;
  readonly recentOutcomes: RecentOutcomes;
  readonly callbacks: CalledBack;
};
