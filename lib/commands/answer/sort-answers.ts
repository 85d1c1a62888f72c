import type { Journal } from '../../log/journal.ts';
import { questionOf } from '../../log/turn/question.ts';
import { type Call, callOfQuestion } from '../../log/turn/turn.ts';
import type {
  AnswerRequest,
  ApprovalId,
  ChatId,
  OutputRequest,
  Principal,
  Question,
} from '../../protocol/index.ts';
import type { Engine } from '../../run/engine.ts';
import { type GivenAnswer, parseAnswer } from './answer-kinds.ts';
import { neverAsked, notAnOutput } from './refusals.ts';

export type AnswersRequest = {
  readonly chatId: ChatId;
  readonly principal: Principal;
  readonly via: string;
  readonly answers?: readonly AnswerRequest[];
  readonly outputs?: readonly OutputRequest[];
};

export type OpenAnswer = {
  readonly call: Call;
  readonly question: Question;
  readonly answer: GivenAnswer;
  readonly asOutput?: true;
};

export type SortedAnswers = {
  readonly open?: OpenAnswer;
  readonly outputs: readonly { readonly call: Call; readonly output: OutputRequest }[];
  readonly settled: readonly Call[];
  readonly stale: readonly Question[];
};

/**
 * Sorts answers and outputs. At most one question is open, and the first answer to it counts.
 *
 * @throws CountersignError `not-found`, `invalid-request`
 * @source H1, H10, T13
 */
export async function sortAnswers(
  { store }: Pick<Engine, 'store'>,
  { turn, head }: Pick<Journal, 'turn' | 'head'>,
  { chatId, answers = [], outputs = [] }: AnswersRequest,
): Promise<SortedAnswers> {
  let open: OpenAnswer | undefined;
  const settled: Call[] = [];
  const stale: Question[] = [];
  const ofClients: { call: Call; output: OutputRequest }[] = [];
  const isOpen = (call: Call) => turn.waitsFor === call && !call.answered && !call.withdrawn;

  for (const [approvalId, request] of firstById(answers)) {
    const call = callOfQuestion(turn, approvalId);
    const question = call ? questionOf(call, head) : await store.questions.read(approvalId);
    if (!question || question.chatId !== chatId) throw neverAsked(approvalId);
    if (!call) stale.push(question);
    else if (isOpen(call)) open = { call, question, answer: parseAnswer(question, request) };
    else settled.push(call);
  }
  for (const output of outputs) {
    const call = turn.calls.get(output.toolCallId);
    const question = call?.asked?.needsValue && questionOf(call, head);
    if (call && question) {
      if (isOpen(call)) open ??= { call, question, answer: answerOf(question, output), asOutput: true };
      else if (call.answered?.asOutput) settled.push(call);
    } else if (call?.requested.executor === 'client') {
      if (call.end && call.suspended) settled.push(call);
      else ofClients.push({ call, output });
    }
  }
  return { open: open || undefined, outputs: ofClients, settled, stale };
}

/** The value of a form may come as the output of its call. @source T13 */
function answerOf(question: Question, { output, errorText }: OutputRequest): GivenAnswer {
  if (errorText !== undefined) throw notAnOutput(question.id, errorText);
  return parseAnswer(question, { approvalId: question.id, approved: true, value: output });
}

function firstById(answers: readonly AnswerRequest[]): Map<ApprovalId, AnswerRequest> {
  return new Map(answers.toReversed().map((answer) => [answer.approvalId, answer]));
}
