import { toolEvents } from 'countersign/plugins/tool-events';
import { readsIn } from '../read-dialect.ts';

export const member = readsIn('tool-events', toolEvents());
