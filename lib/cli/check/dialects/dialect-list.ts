import { chatSocket } from '../../../plugins/chat-socket/check.ts';
import { responses } from '../../../plugins/responses/check.ts';
import { toolEvents } from '../../../plugins/tool-events/check.ts';
import { twoStep } from '../../../plugins/two-step-stream/check.ts';
import type { CheckedDialect } from './checked-dialect.ts';

/** The dialects that can be checked. */
export const dialectList: readonly CheckedDialect[] = [toolEvents, twoStep, responses, chatSocket];
