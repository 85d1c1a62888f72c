import { escalationLines } from '../../plugins/escalation/client/lines.ts';
import { votesLines } from '../../plugins/votes/client/lines.ts';

/** What plugins say about a question. A terminal shows English. */
export const pluginLines = [escalationLines(), votesLines()];
