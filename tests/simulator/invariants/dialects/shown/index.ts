import type { DialectName } from '../../../dialects/profile.ts';
import { chatSocket } from './chat-socket.ts';
import { responses } from './responses.ts';
import type { DialectRules } from './shown.ts';
import { toolEvents } from './tool-events.ts';
import { twoStepStream } from './two-step-stream.ts';

const rules: Readonly<Record<string, DialectRules>> = {
  'tool-events': toolEvents,
  'two-step-stream': twoStepStream,
  'chat-socket': chatSocket,
  responses,
} satisfies Record<DialectName, DialectRules>;

/** What holds for the readings of a dialect. */
export function rulesOf(dialect: DialectName): DialectRules {
  const found = rules[dialect];
  if (!found) throw new Error(`The simulator has no rules of ${dialect}.`);
  return found;
}
