import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type ScriptedPart, type ScriptedStep, scriptedModel } from '../../../lib/testing/index.ts';
import type { History } from '../history.ts';
import type { SimProcess } from '../machine/process.ts';
import type { Random } from '../machine/random.ts';
import type { World } from '../machine/world.ts';
import type { PlanText } from './plan.ts';

function readPlan({ prompt }: LanguageModelV4CallOptions): {
  chatId: string;
  plan: PlanText;
  spoken: number;
} {
  const place = prompt.findLastIndex(({ role }) => role === 'user');
  const asked = prompt[place];
  const text = asked?.role === 'user' && asked.content[0]?.type === 'text' ? asked.content[0].text : '';
  const space = text.indexOf(' ');
  const spoken = prompt.slice(place).filter(({ role }) => role === 'assistant').length;
  return { chatId: text.slice(0, space), plan: JSON.parse(text.slice(space + 1)), spoken };
}

/** The provider's own call that a person has just approved. */
function providerAnswer({ prompt }: LanguageModelV4CallOptions): string | undefined {
  const last = prompt.at(-1);
  const approval =
    last?.role === 'tool' ? last.content.find(({ type }) => type === 'tool-approval-response') : undefined;
  if (approval?.type !== 'tool-approval-response' || !approval.approved) return undefined;
  const call = prompt
    .flatMap(({ role, content }) => (role === 'assistant' ? content : []))
    .findLast((part) => part.type === 'tool-call' && part.providerExecuted);
  return call?.type === 'tool-call' ? call.toolCallId : undefined;
}

/**
 * The model of one process. It does what the last user message prescribes, and depends on the prompt alone, so a
 * restart changes nothing. Sometimes its call fails, breaks off, or produces invalid arguments.
 */
export function createModel(
  world: World,
  history: History,
  process: SimProcess,
  {
    random,
    faults,
    nextCallId,
    agent,
  }: { random: Random; faults: boolean; nextCallId: (chatId: string) => string; agent?: string | undefined },
) {
  return scriptedModel(
    (options): ScriptedStep => {
      const { chatId, plan, spoken } = readPlan(options);
      (agent === undefined ? history.prompts : history.agentPrompts).push({
        moment: history.moment(),
        instance: process.name,
        chatId,
        step: spoken,
        prompt: structuredClone(options.prompt),
      });
      world.note(`${process.name} model ${agent ?? 'of'} ${chatId} step ${spoken}`);
      if (faults && random.chance(0.04)) return [{ reject: new Error('The model is overloaded.') }];
      const delay: ScriptedPart[] = random.chance(0.5) ? [{ delayMs: 5 + random.below(60) }] : [];
      if (faults && random.chance(0.04)) return [{ text: 'I was say' }, ...delay, { finish: 'never' }];
      const calls = plan[spoken] ?? [];
      if (calls[0] === 'provider') {
        return [{ providerQuestion: 'mcp.send', input: { n: 1 }, id: nextCallId(chatId) }];
      }
      const said: ScriptedPart[] =
        calls.length === 0 || random.chance(0.4) ? [{ text: ['Step ', `${spoken} of ${chatId}.`] }] : [];
      // Time for a process to end while its model speaks.
      const talkMs = history.profile.dialects?.talkMs ?? 0;
      if (talkMs > 0 && said.length > 0) said.push({ delayMs: random.below(talkMs) }, { text: ' More.' });
      if (faults && calls.length === 0 && random.chance(0.05)) return [];
      const answered = providerAnswer(options);
      if (answered) said.unshift({ providerResult: answered, tool: 'mcp.send', result: { did: 1 } });
      const made = calls.map((call) => {
        const id = nextCallId(chatId);
        if (typeof call !== 'string') {
          return {
            call: agent === undefined ? 'team' : 'crew',
            input: { plan: `${chatId} ${JSON.stringify(call)}` },
            id,
          };
        }
        const [tool = '', n] = call.split(':');
        if (faults && random.chance(0.02)) return { call: tool, rawInput: '{"n": "many"}', id };
        return { call: tool, input: { n: Number(n) }, id };
      });
      // Every third payment is written before the model pauses, so that readers see it early.
      const written = made.flatMap(({ call, input, id }): ScriptedPart[] =>
        input?.n !== undefined && input.n % 3 === 0
          ? [{ writes: call, id, input: ['{"n"', `:${input.n}}`] }]
          : [],
      );
      return [...said, ...written, ...delay, ...made];
    },
    { clock: process.clock },
  );
}
