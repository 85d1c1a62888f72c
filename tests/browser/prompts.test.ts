// depends on: app/_model app/_tools app/_mcp app/chats
import { describe, expect } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { it } from './support/browser-test.ts';
import { modes, modesOfThisRun } from './support/person.ts';

/** The prompts without a question: the tool of each, the end of its card, and the assistant's reply. */
const prompts = [
  {
    prompt: 'What is the weather in Tokyo?',
    tool: 'get_weather',
    card: /Done/,
    says: /It is -?[\d.]+ °C and .+ in Tokyo\./,
  },
  { prompt: 'multiply 5 and 4', tool: 'multiply', card: /Done/, says: /5 times 4 is 20\./ },
  {
    prompt: 'search the web for moon landing',
    tool: 'web_search',
    card: /Done[\s\S]*\d+ results?/,
    says: /Found \d+ pages? about moon landing: /,
  },
  {
    prompt: 'search files for approval',
    tool: 'file_search',
    card: /Done[\s\S]*\d+ results?/,
    says: /Found \d+ sections? about approval: /,
  },
  {
    prompt: 'call the flaky service',
    tool: 'flaky_service',
    card: /Answered on attempt 2[\s\S]*Done/,
    says: /The flaky service responded\./,
  },
  {
    prompt: 'call the broken service',
    tool: 'broken_service',
    card: /Failed[\s\S]*tried twice/,
    says: /The broken service could not be used \(.+\)\./,
  },
  {
    prompt: 'call the strict service badly',
    tool: 'strict_service',
    card: /Failed/,
    says: /The strict service could not be used \(.+\)\./,
  },
];

/** In `npm test`, over BIDI: a result after a retry, and a failure. */
const promptsOfThisRun = rowsOfThisRun(
  modes.flatMap(({ mode }) => prompts.map((row) => ({ ...row, mode }))),
  ({ mode, tool }) => mode === 'BIDI' && ['flaky_service', 'strict_service'].includes(tool),
);

describe('the demo prompts without a question', () => {
  it.for(promptsOfThisRun)(
    '"$prompt" runs $tool over $mode and reports the outcome',
    async (row, { open }) => {
      const person = await open();
      await person.choose(row.mode);
      await person.say(row.prompt);
      await person.regenerate.waitFor();
      expect(await person.answer.innerText()).toMatch(row.says);
      expect(await person.call(row.tool).innerText()).toMatch(row.card);
      expect(await person.question.count()).toBe(0);
    },
  );
});

describe.each(modesOfThisRun('BIDI'))('any other prompt over $mode', ({ mode }) => {
  it('gets one sentence and no tool', async ({ open }) => {
    const person = await open();
    await person.choose(mode);
    await person.say('Good morning');
    await person.isTold('I am a scripted demo model');
    expect(await person.page.locator('details[data-tool]').count()).toBe(0);
  });
});
