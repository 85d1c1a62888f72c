import { twoStepStream } from 'countersign/plugins/two-step-stream';
import { readsIn } from '../read-dialect.ts';

export const member = readsIn('two-step-stream', twoStepStream());
