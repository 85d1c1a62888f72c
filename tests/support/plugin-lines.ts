import { escalationLines } from 'countersign/plugins/escalation';
import { votesLines } from 'countersign/plugins/votes';

/** What plugins say of a question in messages and plain pages. */
export const pluginLines = [escalationLines(), votesLines()];

/** Fields of plugins in a question of which they say something. */
export const saidByPlugins = { votes: { needed: 2 } };
