import { escalationLines } from 'countersign/plugins/escalation';
import { votesLines } from 'countersign/plugins/votes';

/** What plugins say about a request, for messages and pages without scripts. */
export const words = { lines: [votesLines(), escalationLines()] };
