import { escalationLines } from '../../plugins/escalation/client/lines.ts';
import { votesLines } from '../../plugins/votes/client/lines.ts';
import type { QuestionLines } from '../../protocol/approval/question-lines.ts';

/** What plugins say about a question. A terminal shows English. */
export const pluginLines: readonly QuestionLines[] = [escalationLines(), votesLines()];
