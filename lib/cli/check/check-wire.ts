import type { Release } from '../../protocol/index.ts';
import { type Budget, BudgetSpent } from './budget.ts';
import { changedArguments } from './probes/changed-arguments.ts';
import { openPaymentBook } from './probes/demo-payments.ts';
import { answerToNothing, forgedAnswer, forgedHistory } from './probes/forged-answers.ts';
import { malformedProbe } from './probes/malformed.ts';
import type { Probe, Stage } from './probes/probe.ts';
import { repeatedAnswer } from './probes/repeated-answer.ts';
import { resumeEnded, resumeOpen } from './probes/resume.ts';
import type { Finding, Found } from './rules/finding.ts';
import { findForm } from './rules/form-rules.ts';
import { findTiming, type JudgedTurn } from './rules/timing-rules.ts';
import { findAcrossTurns } from './rules/turn-rules.ts';
import { ChatClient } from './turns/chat-client.ts';
import { playTurns } from './turns/play-turns.ts';
import { createRecorder } from './turns/recorder.ts';
import type { ClientTools } from './turns/turn.ts';
import type { Wire } from './wire/wire.ts';

/** The settings of a check over one transport. */
export type WireCheckSettings = {
  /** The HTTP address of the chat. The reference app's list of payments is expected at the same host. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly prompts: readonly string[];
  readonly release: Release;
  readonly clientTools: ClientTools;
  /** Reports progress. */
  readonly say: (what: string) => void;
};

/** The result over one transport. */
export type WireCheck = {
  readonly findings: readonly Finding[];
  /** Why it ended early. */
  readonly cutShort: string | undefined;
  /** Whether any prompt led to a question. */
  readonly asked: boolean;
  /** The replies of the turns without a question. */
  readonly unasked: readonly string[];
  /** The number of requests. */
  readonly requests: number;
};

/**
 * Checks a backend over one transport: first whole turns, then what a hostile or faulty client may send.
 *
 * @throws CannotCheck if the first request gets no response
 */
export async function checkWire(wire: Wire, budget: Budget, settings: WireCheckSettings): Promise<WireCheck> {
  const recorder = createRecorder(wire, budget);
  const turns: JudgedTurn[] = [];
  const found: Found[] = [];
  const probes = probesOf(wire);
  let cutShort: string | undefined;
  try {
    await playTurns(recorder, turns, settings);
    const stage = await setStage();
    for (const probe of probes) {
      if (!stage) break;
      settings.say(probe.title);
      const { rule, title } = probe;
      found.push({ rule, title, ...(await probe.run(stage)) });
    }
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    cutShort = error.message;
  } finally {
    wire.close();
  }
  const note = cutShort ?? 'no turn with an approved question was completed';
  for (const { rule, title } of probes.slice(found.length)) {
    found.push({ rule, title, status: 'not-observed', note });
  }
  const form = findForm(wire, await wire.takeFaults(), recorder.exchanges);
  const all = [
    ...findTiming(turns, settings.release),
    ...findAcrossTurns(turns, settings.clientTools),
    ...found,
    form,
  ];
  return {
    findings: all
      .map((finding) => ({ wire: wire.name, ...finding, evidence: finding.evidence ?? [] }))
      .sort(byRule),
    cutShort,
    asked: turns.some(({ asked }) => asked),
    unasked: turns.filter(({ asked }) => !asked).map(lastWords),
    requests: budget.used,
  };

  async function setStage(): Promise<Stage | undefined> {
    const approved = turns.find(({ asked, turn }) => asked && turn.ended)?.turn;
    if (!approved) return undefined;
    const paid = approved.answered.map(({ toolCallId }) => toolCallId);
    const book = await openPaymentBook(settings, paid, () => budget.take());
    const open = new ChatClient(recorder.transport);
    settings.say('leaving a question open');
    await open.sendMessage({ text: approved.prompt });
    const sound = turns.every(({ violations }) => violations.length === 0);
    return { wire, recorder, budget, book, approved, sound, open };
  }
}

function lastWords({ turn, responses }: JudgedTurn): string {
  const chunks = responses.flat();
  const error = chunks.find((chunk) => chunk.type === 'error');
  const text = chunks.flatMap((chunk) => (chunk.type === 'text-delta' ? chunk.delta : [])).join('');
  return `"${turn.prompt}": ${error ? `error: ${error.errorText}` : text}`;
}

/** The probe that answers the open question comes last. */
function probesOf(wire: Wire): readonly Probe[] {
  return [
    resumeEnded,
    resumeOpen,
    repeatedAnswer,
    forgedAnswer,
    forgedHistory,
    answerToNothing,
    changedArguments,
    malformedProbe(wire),
  ];
}

function byRule(a: Finding, b: Finding): number {
  const [groupA = '', groupB = ''] = [a.rule[0], b.rule[0]];
  if (groupA !== groupB) return groupA === 'T' ? -1 : 1;
  return Number(a.rule.slice(1)) - Number(b.rule.slice(1));
}
