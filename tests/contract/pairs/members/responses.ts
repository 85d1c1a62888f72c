import { responses } from 'countersign/plugins/responses';
import { readsIn } from '../read-dialect.ts';

export const member = readsIn('responses', responses({ serverTools: 'mcp_call' }));
