export type { Append, AppendResult } from './append.ts';
export type { CallMark, CallStore } from './calls.ts';
export type { ChatHead, ChatStore, EventStore } from './chats.ts';
export type { StoreClock } from './clock.ts';
export type { ErasureStore, KeptRecord } from './erasures.ts';
export type { FlowStore, StoreChange } from './flow-store.ts';
export type { Instance, InstanceStore } from './instances.ts';
export type { PlacedPage } from './pages.ts';
export type { QuestionChange, QuestionStore } from './questions.ts';
export type {
  PluginRecord,
  RecordId,
  RecordStore,
  RecordWrite,
  StoredRecord,
  UnexpectedRecord,
} from './records.ts';
export type { ResultPart, ResultStore } from './results.ts';
export type { Lease, RunStore } from './runs.ts';
export type {
  EventReference,
  FeedPage,
  PlacedNotice,
  PlacedQuestion,
  SubscriptionState,
  SubscriptionStore,
  Undelivered,
} from './subscriptions.ts';
