import type { Release } from '../../../protocol/index.ts';
import { CannotCheck } from '../cannot-check.ts';
import { type JudgedTurn, judgeTurn } from '../rules/timing-rules.ts';
import type { Exchange } from './exchange.ts';
import type { Recorder } from './recorder.ts';
import {
  type AnswerPattern,
  approveAll,
  approveThenDeny,
  type ClientTools,
  denyAll,
  denyThenApprove,
  playTurn,
} from './turn.ts';

/**
 * Plays every prompt with all questions approved, then the first prompt that asks with one question denied. Turns are
 * added to `turns` as they end, so that results are kept when the budget is used up.
 *
 * @throws CannotCheck, BudgetSpent
 */
export async function playTurns(
  recorder: Recorder,
  turns: JudgedTurn[],
  settings: {
    readonly prompts: readonly string[];
    readonly release: Release;
    readonly clientTools: ClientTools;
    readonly say: (what: string) => void;
  },
): Promise<void> {
  const play = async (prompt: string, pattern: AnswerPattern) => {
    settings.say(`"${prompt}", ${pattern.name}`);
    const { release, clientTools } = settings;
    const judged = judgeTurn(await playTurn(recorder, prompt, pattern, clientTools), release, clientTools);
    const [first] = judged.turn.exchanges;
    if (turns.length === 0 && first) assertChat(first);
    turns.push(judged);
    return judged;
  };
  for (const prompt of settings.prompts) await play(prompt, approveAll);
  const asking = turns.find(({ asked }) => asked);
  if (!asking) return;
  const { prompt, answered } = asking.turn;
  if (answered.length < 2) await play(prompt, denyAll);
  else for (const pattern of [approveThenDeny, denyThenApprove]) await play(prompt, pattern);
}

/** The first response shows whether there is a chat at this address. */
function assertChat({ end, chunks }: Exchange): void {
  switch (end.type) {
    case 'refused': {
      const status = end.status === undefined ? '' : ` with ${end.status}`;
      throw new CannotCheck(`The first request was refused${status}. ${adviceFor(end.status, end.text)}`);
    }
    case 'broken':
      if (chunks.length > 0) return;
      throw new CannotCheck(
        `There was no response: ${end.text.replace(/\.$/, '')}. Is the backend running at this address?`,
      );
    case 'timeout':
      if (chunks.length > 0) return;
      throw new CannotCheck(`There was no response within ${end.seconds} s.`);
    case 'complete':
    case 'nothing':
      if (chunks.length > 0) return;
      throw new CannotCheck(
        'The first request got no UI message stream. Is this the address that a chat client posts to?',
      );
  }
}

function adviceFor(status: number | undefined, text: string): string {
  if (status === 401 || status === 403)
    return "If the backend requires authentication, give --header 'name: value'.";
  if (status === 404 || status === 405) return 'Is this the address that a chat client posts to?';
  return `The response was: ${text.slice(0, 200)}`;
}
