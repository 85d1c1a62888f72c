export { uiMessageChunks } from './chunks/ui-chunks.ts';
export type { FlowStream } from './flow-stream.ts';
export { timelineOf } from './timeline/timeline.ts';
export type { Timeline, TimelineSpan } from './timeline/timeline-span.ts';
