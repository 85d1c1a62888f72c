import type { EventOf } from '../../protocol/index.ts';

export type AskedCall = Pick<EventOf<'tool-requested'>, 'toolName' | 'executor' | 'input' | 'secrets'>;
