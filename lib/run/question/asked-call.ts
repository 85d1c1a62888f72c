import type { EventOf } from '../../protocol/index.ts';

/** The parts of a call that a question is about. */
export type AskedCall = Pick<EventOf<'tool-requested'>, 'toolName' | 'executor' | 'input' | 'secrets'>;
