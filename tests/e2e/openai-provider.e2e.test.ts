import { describe, expect, it } from 'vitest';
import { chooseModel } from '../../app/_model/index.ts';
import { plain } from '../support/client-message.ts';
import { databaseTools, openAIFlow, temporaryFile } from '../support/openai-flow.ts';
import type { EarlyEnd, ResponseItem, ScriptedResponse } from '../support/openai-script.ts';

const prompt = 'Search and update database';
const asked = { role: 'user', content: [{ type: 'input_text', text: prompt }] };

const search = { call: 'search_database', id: 'fc_1', callId: 'call_1', input: { query: 'users' } };
const update = { call: 'update_database', id: 'fc_2', callId: 'call_2', input: { field: 'status' } };
const thoughts: ResponseItem = {
  reasoning: ['Look first.', 'Then write.'],
  id: 'rs_1',
  encrypted: 'sealed-1',
};
const silentThoughts: ResponseItem = { reasoning: [], id: 'rs_2', encrypted: 'sealed-2' };

/** "Search and update database", chained: the model sees the first result before it requests the second call. */
const chained: readonly ScriptedResponse[] = [
  [thoughts, { text: 'Let me look.', id: 'msg_1' }, search],
  [silentThoughts, { text: 'Found 10 users.', id: 'msg_2' }, update],
  [{ text: 'Database updated.', id: 'msg_3' }],
];

const searchCall = {
  type: 'function_call',
  call_id: 'call_1',
  name: 'search_database',
  arguments: '{"query":"users"}',
};
const updateCall = {
  type: 'function_call',
  call_id: 'call_2',
  name: 'update_database',
  arguments: '{"field":"status"}',
};
const outputOf = (callId: string, output: string) => ({
  type: 'function_call_output',
  call_id: callId,
  output,
});
const searched = outputOf('call_1', '{"rows":10}');
const updated = outputOf('call_2', 'Updated 10 rows.');
/** The output of a call that was approved with a reason. */
const approved = ({ output, ...item }: typeof searched, reason: string) => ({
  ...item,
  output: `This call was approved: ${reason}\n\n${output}`,
});
const reference = (id: string) => ({ type: 'item_reference', id });

/** The items before the two calls in follow-up requests, with and without stored items. */
const histories = [
  {
    kept: true,
    beforeSearch: [reference('rs_1'), reference('msg_1')],
    beforeUpdate: [reference('rs_2'), reference('msg_2')],
  },
  {
    kept: false,
    beforeSearch: [
      {
        type: 'reasoning',
        id: 'rs_1',
        encrypted_content: 'sealed-1',
        summary: [
          { type: 'summary_text', text: 'Look first.' },
          { type: 'summary_text', text: 'Then write.' },
        ],
      },
      { role: 'assistant', content: 'Let me look.' },
    ],
    beforeUpdate: [
      { type: 'reasoning', id: 'rs_2', encrypted_content: 'sealed-2', summary: [] },
      { role: 'assistant', content: 'Found 10 users.' },
    ],
  },
];

describe.each(histories)('chained calls, store: $kept', ({ kept, beforeSearch, beforeUpdate }) => {
  it('sends each follow-up request with the reasoning, the calls and their outputs, by the same ids', async () => {
    const { tools, ran } = databaseTools();
    const { server, chat } = await openAIFlow(chained, { tools, kept });
    const { say, answer, violations, message, stored } = chat();
    await say(prompt);
    await answer(true);
    await answer(true);

    const first = [asked, ...beforeSearch, searchCall, searched];
    expect(server.requests.map(({ input }) => input)).toEqual([
      [asked],
      first,
      [...first, ...beforeUpdate, updateCall, updated],
    ]);
    expect(server.requests.map(({ store }) => store)).toEqual(Array(3).fill(kept ? undefined : false));
    expect(ran).toEqual(['search users', 'update status']);
    expect(violations()).toEqual([]);
    expect(textOf(message())).toEqual(['Let me look.', 'Found 10 users.', 'Database updated.']);
    expect(plain(await stored())).toEqual(message());
  });

  it.each([
    ['with its reason', 'Not on Fridays.', 'This call was denied: Not on Fridays.'],
    ['without a reason', undefined, 'Tool call execution denied.'],
  ])('sends a denial to the model, %s', async (_, reason, told) => {
    const { tools, ran } = databaseTools();
    const { server, chat } = await openAIFlow(chained, { tools, kept });
    const { say, answer, violations } = chat();
    await say(prompt);
    await answer(true);
    await answer(false, reason);

    const before = [asked, ...beforeSearch, searchCall, searched, ...beforeUpdate, updateCall];
    expect(server.requests.at(-1)?.input).toEqual([...before, outputOf('call_2', told)]);
    expect(ran).toEqual(['search users']);
    expect(violations()).toEqual([]);
  });

  it('continues after a restart between the question and its answer', async () => {
    const { tools, ran } = databaseTools();
    const { server, chat, restart } = await openAIFlow(chained, { tools, kept, path: temporaryFile() });
    const { say, answer, violations } = chat();
    await say(prompt);
    await restart();
    await answer(true);
    await restart();
    await answer(true);

    const first = [asked, ...beforeSearch, searchCall, searched];
    expect(server.requests.at(-1)?.input).toEqual([...first, ...beforeUpdate, updateCall, updated]);
    expect(server.requests).toHaveLength(3);
    expect(ran).toEqual(['search users', 'update status']);
    expect(violations()).toEqual([]);
  });
});

describe('parallel calls', () => {
  const parallel: readonly ScriptedResponse[] = [
    [thoughts, search, update],
    [{ text: 'As you wish.', id: 'msg_1' }],
  ];

  it.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('are answered separately (%s, %s) and sent together, in call order', async (first, second) => {
    const { tools, ran } = databaseTools();
    const { server, chat } = await openAIFlow(parallel, { tools });
    const { say, answer, violations } = chat();
    await say(prompt);
    await answer(first, 'One.');
    await answer(second, 'Two.');

    expect(server.requests.map(({ input }) => input)).toEqual([
      [asked],
      [
        asked,
        reference('rs_1'),
        searchCall,
        updateCall,
        first ? approved(searched, 'One.') : outputOf('call_1', 'This call was denied: One.'),
        second ? approved(updated, 'Two.') : outputOf('call_2', 'This call was denied: Two.'),
      ],
    ]);
    expect(ran).toEqual([...(first ? ['search users'] : []), ...(second ? ['update status'] : [])]);
    expect(violations()).toEqual([]);
  });

  it('keep call and output paired when the model reuses a call id', async () => {
    const { tools, ran } = databaseTools();
    const again: readonly ScriptedResponse[] = [
      [search],
      [{ ...update, callId: search.callId }],
      [{ text: 'Done.', id: 'msg_1' }],
    ];
    const { server, chat } = await openAIFlow(again, { tools });
    const { say, answer, violations, message } = chat();
    await say(prompt);
    await answer(true);
    await answer(true);

    const calls = server.requests.at(-1)?.input.slice(1) ?? [];
    const [, , second] = calls;
    expect(second?.call_id).not.toBe('call_1');
    const renamed = String(second?.call_id);
    expect(calls).toEqual([
      searchCall,
      searched,
      { ...updateCall, call_id: renamed },
      outputOf(renamed, 'Updated 10 rows.'),
    ]);
    expect(ran).toEqual(['search users', 'update status']);
    expect(message().parts.filter((part) => 'toolCallId' in part)).toHaveLength(2);
    expect(violations()).toEqual([]);
  });
});

describe('a provider that fails in the middle of a turn', () => {
  const overloaded: EarlyEnd = { error: 'Overloaded: secret-detail.' };
  const failures: readonly (readonly [string, ScriptedResponse])[] = [
    ['500', { refuse: 500, message: 'Broken: secret-detail.' }],
    ['429', { refuse: 429, message: 'Too many: secret-detail.' }],
    ['an error event', [{ text: 'Found', id: 'msg_2' }, overloaded]],
    ['a broken connection', [{ text: 'Found', id: 'msg_2' }, { breaksOff: 'connection' }]],
  ];

  it.each(failures)(
    '(%s) produces one error chunk, and regenerate continues the chat',
    async (_, failure) => {
      const { tools, ran } = databaseTools();
      const whole: ScriptedResponse = [{ text: 'Nothing to do.', id: 'msg_9' }];
      const { server, chat } = await openAIFlow([[search], failure, whole], { tools });
      const { say, answer, regenerate, violations, message, stored } = chat();
      await say(prompt);
      const broken = await answer(true);

      expect(broken.filter((chunk) => chunk.type === 'error')).toEqual([broken.at(-1)]);
      expect(JSON.stringify(broken)).not.toContain('secret-detail');
      expect(toolStates(message())).toEqual(['output-available']);
      expect(violations()).toEqual([]);

      await regenerate();
      // What ran stays in the prompt: otherwise the model could repeat it unknowingly.
      expect(server.requests.at(-1)?.input).toEqual([asked, searchCall, searched]);
      expect(textOf(message())).toEqual(['Nothing to do.']);
      expect(plain(await stored())).toEqual(message());
      expect(ran).toEqual(['search users']);
    },
  );

  it.each(failures)('(%s) keeps what ran in the prompt when a new message follows', async (_, failure) => {
    const { tools } = databaseTools();
    const whole: ScriptedResponse = [{ text: 'Ten.', id: 'msg_9' }];
    const { server, chat } = await openAIFlow([[search], failure, whole], { tools });
    const { say, answer, message } = chat();
    await say(prompt);
    await answer(true);
    // A broken connection may lose text in transit. What arrived is kept.
    const partial = textOf(message()).map((content) => ({ role: 'assistant', content }));
    await say('How many?');

    const question = { role: 'user', content: [{ type: 'input_text', text: 'How many?' }] };
    expect(server.requests.at(-1)?.input).toEqual([asked, searchCall, searched, ...partial, question]);
    expect(textOf(message())).toEqual(['Ten.']);
  });
});

describe('the reference app', () => {
  it('uses the server in OPENAI_BASE_URL with the model in OPENAI_MODEL', async () => {
    const { tools, ran } = databaseTools();
    const modelAt = (baseURL: string) =>
      chooseModel({ OPENAI_API_KEY: 'key', OPENAI_BASE_URL: baseURL, OPENAI_MODEL: 'gpt-5.4' });
    const { server, chat } = await openAIFlow(chained, { tools, modelAt });
    const { say, answer, violations, message } = chat();
    await say(prompt);
    await answer(true);
    await answer(true);

    expect(server.requests.map(({ model }) => model)).toEqual(['gpt-5.4', 'gpt-5.4', 'gpt-5.4']);
    expect(ran).toEqual(['search users', 'update status']);
    expect(textOf(message()).at(-1)).toBe('Database updated.');
    expect(violations()).toEqual([]);
  });
});

function textOf({ parts }: { parts: readonly object[] }): string[] {
  return parts.flatMap((part) =>
    'type' in part && part.type === 'text' && 'text' in part ? [String(part.text)] : [],
  );
}

function toolStates({ parts }: { parts: readonly object[] }): unknown[] {
  return parts.flatMap((part) => ('toolCallId' in part && 'state' in part ? [part.state] : []));
}
