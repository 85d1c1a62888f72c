import { aiSdkWire } from './ai-sdk.ts';
import { chatSocketWire } from './chat-socket.ts';
import { responsesWire } from './responses.ts';
import { toolEventsWire } from './tool-events.ts';
import { twoStepWire } from './two-step.ts';
import type { Wire } from './wire.ts';

/** The five wire formats of the product, in display order. */
export const wires: readonly Wire[] = [aiSdkWire, twoStepWire, toolEventsWire, responsesWire, chatSocketWire];
