/** The testing kit, by purpose. It needs no test runner, React or DOM; tests pass in what they use. */

// A scripted model and a fake clock.

export { type FakeClock, fakeClock } from './fake-clock.ts';
export { type ScriptedModel, scriptedModel } from './model/scripted-model.ts';
export type { Script, ScriptedPart, ScriptedStep, ScriptedUsage } from './model/scripted-step.ts';

// Chunks and complete responses: builders, encoders and parsers.

export {
  automaticApproval,
  type ContinuedAnswer,
  denial,
  draft,
  failure,
  finalResponse,
  handOverResponse,
  lifecycle,
  output,
  question,
  questionResponse,
  reasoning,
  response,
  type ShownCall,
  shownCall,
  text,
} from './chunks/chunk-builders.ts';
export { readResponse, responseChunks } from './chunks/read-responses.ts';
export { bidiFrames, sseResponse } from './chunks/wire-builders.ts';
export { collect } from './collect.ts';

// Servers: your own flow, or a backend that breaks a rule.

export type { AskedCall, Exchange, Honest, Misbehaviour } from './backends/misbehaviour.ts';
export { misbehaviours } from './backends/misbehaviours.ts';
export type { Payment, PaymentInput } from './backends/payment-ledger.ts';
export { type Backend, startBackend } from './backends/start-backend.ts';
export { type FlowServer, type FlowServerSettings, startFlowServer } from './server/start-flow-server.ts';

// The checker of response timing.

export { checkResponseTiming } from './response-timing/check-response-timing.ts';
export type { TimingOptions, TimingRule, Violation } from './response-timing/violation.ts';

// A driver for the real `useChat`.

export { type DataPart, draftOf, phasesOf } from './driver/data-parts.ts';
export { chatDriver } from './driver/drive-chat.ts';
export type { DrivenChat, DrivenChatSettings } from './driver/driven-chat.ts';
export type { ChatHelpers, ChatSettings, TestingLibrary } from './driver/testing-library.ts';
export { openQuestions, type WaitingCall } from './driver/waiting-calls.ts';

// Recording and replaying a live chat.

export { type RecordedExchange, type Recording, readRecording } from './recording/read-recording.ts';
export { type RecordSettings, recordTransport } from './recording/record-transport.ts';
export type { RecordedEnd, RecordedRequest, RecordingLine } from './recording/recording-line.ts';
export { type ReplayTransport, replayTransport } from './recording/replay-transport.ts';

// Faults: stores that die, stall or are slow; connections that lose, duplicate and delay.

export { distantStore } from './faults/distant-store.ts';
export { type DyingStore, dyingStore } from './faults/dying-store.ts';
export { type FetchedRequest, faultyFetch } from './faults/faulty-fetch.ts';
export { faultyTransport } from './faults/faulty-transport.ts';
export { interceptedStore } from './faults/intercepted-store.ts';
export { formatKillPoint, type KillPoint, parseKillPoint } from './faults/kill-point.ts';
export { killingStore } from './faults/killing-store.ts';
export type { LineFault, LineFaults } from './faults/line-fault.ts';

// Decision records, and a test for each clause.

export { type Clause, readClauses } from './clauses/adr-clauses.ts';
export { type ClauseTest, createAdr, type RegisterTest } from './clauses/adr-ledger.ts';
export { type Ledger, ledgerFaults } from './clauses/ledger-faults.ts';
