import { describe, expect, it } from 'vitest';
import { anthropic } from './support/anthropic/provider.ts';
import { chatCompletions } from './support/chat-completions/provider.ts';
import { gemini3, gemini25 } from './support/gemini/provider.ts';
import { mistral } from './support/mistral/provider.ts';
import type { Provider } from './support/provider.ts';
import { responsesEncrypted, responsesStored } from './support/responses/provider.ts';

/** What a request contains, and the beginning of the refusal; `accepted` if there is none. */
type Row = readonly [what: string, content: readonly unknown[], refusal: RegExp | 'accepted'];

/** Checks the rows of one service, which has sent one reply with a call of `pay`, and its thoughts. */
function refuses(provider: Provider, bodyOf: (content: readonly unknown[]) => object, rows: readonly Row[]) {
  describe(provider.name, () => {
    it.each(rows)('%s', (_, content, refusal) => {
      const service = provider.open();
      const first = bodyOf([{ role: 'user', content: [], parts: [] }]);
      service.reply([{ call: 'pay', input: {} }], 0, { ...first, include: ['reasoning.encrypted_content'] });
      const fault = service.faultOf(bodyOf(content)) ?? 'accepted';
      if (refusal === 'accepted') expect(fault).toBe('accepted');
      else expect(fault).toMatch(refusal);
    });
  });
}

describe('the services of the scenes refuse what the real ones refuse', () => {
  {
    const text = (words: string) => ({ type: 'text', text: words });
    const person = (...content: object[]) => ({ role: 'user', content });
    const model = (...content: object[]) => ({ role: 'assistant', content });
    const call = (id: string, name = 'pay') => ({ type: 'tool_use', id, name, input: {} });
    const result = (id: string, more = {}) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: 'ok',
      ...more,
    });
    const thought = { type: 'thinking', thinking: 'Thought 0.', signature: 'signature-0' };
    const hi = person(text('Hi'));
    const asked = [hi, model(thought, text('So.'), call('a'), call('b'))];
    refuses(anthropic, (messages) => ({ model: 'm', max_tokens: 1, stream: true, messages }), [
      [
        'accepts calls with their results',
        [...asked, person(result('a'), result('b'), text('And?'))],
        'accepted',
      ],
      [
        'a result that is missing',
        [...asked, person(result('a'))],
        /without `tool_result` blocks immediately/,
      ],
      [
        'a result behind a text',
        [...asked, person(result('a'), text('x'), result('b'))],
        /immediately after: b/,
      ],
      [
        'results in two messages',
        [...asked, person(result('a')), person(result('b'))],
        /immediately after: b/,
      ],
      ['a result of no call', [hi, model(text('So.')), person(result('a'))], /unexpected `tool_use_id`/],
      ['two results of a call', [...asked, person(result('a'), result('a'), result('b'))], /single result/],
      [
        'an id twice',
        [hi, model(call('a')), person(result('a')), model(call('a')), person(result('a'))],
        /unique/,
      ],
      ['an id with a colon', [hi, model(call('pay:0')), person(result('pay:0'))], /should match pattern/],
      ['a name with a dot', [hi, model(call('a', 'bank.pay')), person(result('a'))], /should match pattern/],
      [
        'an error without a text',
        [hi, model(call('a')), person(result('a', { is_error: true, content: '' }))],
        /cannot be empty/,
      ],
      [
        'a blank text in a result',
        [hi, model(call('a')), person(result('a', { content: [text(' ')] }))],
        /non-whitespace/,
      ],
      ['an empty text', [person(text(''))], /must be non-empty/],
      ['a blank text of the person', [person(text(' \n'))], /non-whitespace/],
      ['a blank text of the model', [hi, model(text('\n\n')), hi], /non-whitespace/],
      ['a message without content', [hi, model(), hi], /non-empty content/],
      ['a last thought', [hi, model(text('So.'), thought), hi], /final block/],
      [
        'a changed thought',
        [hi, model({ ...thought, thinking: 'No.' }, text('So.')), hi],
        /Invalid `signature`/,
      ],
      ['a first message of the model', [model(text('So.')), hi], /first message/],
      ['a last message of the model', [hi, model(text('So.'))], /prefill/],
      ['a block of another service', [hi, model({ type: 'custom' }), hi], /Invalid input/],
    ]);
  }

  {
    const person = (text = 'Hi') => ({ role: 'user', parts: [{ text }] });
    const model = (...parts: object[]) => ({ role: 'model', parts });
    const call = (id: string, more = {}) => ({ functionCall: { id, name: 'pay', args: {} }, ...more });
    const response = (id: string, name = 'pay') => ({ functionResponse: { id, name, response: {} } });
    const results = (...parts: object[]) => ({ role: 'user', parts });
    const body = (contents: readonly unknown[]) => ({ contents });
    const foreign = { thoughtSignature: 'skip_thought_signature_validator' };
    const rows: Row[] = [
      [
        'accepts a call with its response',
        [person(), model(call('a', foreign)), results(response('a'))],
        'accepted',
      ],
      [
        'two responses of a call',
        [person(), model(call('a')), results(response('a'), response('a'))],
        /number of function response/,
      ],
      ['a call without a response', [person(), model(call('a')), person()], /number of function response/],
      [
        'a call after a text of its own turn',
        [person(), model({ text: 'So.' }), model(call('a')), results(response('a'))],
        /function call turn comes immediately/,
      ],
      [
        'a response without a call',
        [person(), model({ text: 'So.' }), results(response('a'))],
        /function response turn comes/,
      ],
      [
        'a response by another name',
        [person(), model(call('a')), results(response('a', 'get'))],
        /response for pay is missing/,
      ],
      ['a turn without parts', [person(), model(), person()], /parts must not be empty/],
      ['an empty text', [person('')], /one initialized field/],
      ['a last turn of the model', [person(), model({ text: 'So.' })], /end with a user role/],
      [
        'a signature of another service',
        [person(), model({ text: 'So.', thoughtSignature: 'other' }), person()],
        /Corrupted/,
      ],
    ];
    refuses(gemini25, body, rows);
    refuses(gemini3, body, [
      ...rows,
      [
        'a call of this turn without a signature',
        [person(), model(call('a')), results(response('a'))],
        /missing a thought_signature/,
      ],
      [
        'accepts a call of an earlier turn without one',
        [person(), model(call('a')), results(response('a')), person()],
        'accepted',
      ],
      [
        'a call that has lost its signature',
        [person(), model(call('001c191c', foreign)), results(response('001c191c'))],
        /has lost its/,
      ],
    ]);
  }

  {
    const person = { role: 'user', content: 'Hi' };
    const call = (id: string, name = 'pay') => ({
      id,
      type: 'function',
      function: { name, arguments: '{}' },
    });
    const model = (...tool_calls: object[]) => ({ role: 'assistant', content: '', tool_calls });
    const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' });
    const say = { role: 'assistant', content: 'So.' };
    const body = (messages: readonly unknown[]) => ({ model: 'm', stream: true, messages });
    const [a, b] = ['aaaaaaaa1', 'aaaaaaaa2'];
    refuses(mistral, body, [
      [
        'accepts calls with their results',
        [person, model(call(a), call(b)), result(a), result(b), say, person],
        'accepted',
      ],
      [
        'a message of the person after a result',
        [person, model(call(a)), result(a), person],
        /role 'user' after role 'tool'/,
      ],
      ['a result that is missing', [person, model(call(a), call(b)), result(a), say, person], /same number/],
      ['a result of no call', [person, say, result(a)], /Unexpected tool call id/],
      ['an id of another form', [person, model(call('call_1')), result('call_1')], /length of 9/],
      ['a name with a dot', [person, model(call(a, 'bank.pay')), result(a)], /Function name/],
      [
        'a message of the model without content',
        [person, { role: 'assistant', content: '' }, person],
        /not none/,
      ],
      ['a last message of the model', [person, say], /Expected last role/],
    ]);
    refuses(chatCompletions, body, [
      [
        'accepts calls with their results',
        [person, model(call(a), call(b)), result(b), result(a), person],
        'accepted',
      ],
      [
        'a result that is missing',
        [person, model(call(a), call(b)), result(a), person],
        /must be followed by tool messages/,
      ],
      [
        'a result that comes late',
        [person, model(call(a)), say, result(a)],
        /must be followed by tool messages/,
      ],
      ['a result of no call', [person, say, result(a)], /must be a response to a preceding/],
      ['two results of a call', [person, model(call(a)), result(a), result(a)], /Duplicate/],
      [
        'an id of more than 40 characters',
        [person, model(call('x'.repeat(41))), result('x'.repeat(41))],
        /maximum length 40/,
      ],
      ['a name with a dot', [person, model(call(a, 'bank.pay')), result(a)], /does not match pattern/],
      ['no content and no call', [person, { role: 'assistant', content: null }, person], /got null/],
    ]);
  }

  {
    const person = { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] };
    const call = (id: string, name = 'pay') => ({
      type: 'function_call',
      call_id: id,
      name,
      arguments: '{}',
    });
    const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'ok' });
    const thought = (more = {}) => ({
      type: 'reasoning',
      id: 'rs_0',
      summary: [],
      encrypted_content: 'encrypted-0',
      ...more,
    });
    const reference = (id: string) => ({ type: 'item_reference', id });
    const rows: Row[] = [
      ['accepts a call with its output', [person, thought(), call('a'), output('a')], 'accepted'],
      ['a call without an output', [person, call('a'), person], /No tool output found/],
      ['an output without a call', [person, output('a')], /No tool call found/],
      ['an empty id', [person, call(''), output('')], /minimum length 1/],
      [
        'an id of more than 64 characters',
        [person, call('x'.repeat(65)), output('x'.repeat(65))],
        /maximum length 64/,
      ],
      ['a name with a dot', [person, call('a', 'bank.pay'), output('a')], /does not match pattern/],
      ['reasoning that nothing follows', [person, thought(), person], /required following item/],
      ['an item twice', [person, thought(), thought(), call('a'), output('a')], /Duplicate item/],
      [
        'reasoning of another service',
        [person, thought({ encrypted_content: 'other' }), call('a'), output('a')],
        /could not be verified/,
      ],
    ];
    refuses(responsesStored, (input) => ({ model: 'm', stream: true, input }), [
      ...rows,
      ['accepts references to its items', [person, reference('rs_0'), call('a'), output('a')], 'accepted'],
      ['a reference to an unknown item', [person, reference('rs_1'), call('a'), output('a')], /not found/],
    ]);
    refuses(responsesEncrypted, (input) => ({ model: 'm', stream: true, store: false, input }), [
      ...rows,
      [
        'a reference to an item that it has not stored',
        [person, reference('rs_0'), call('a'), output('a')],
        /not found/,
      ],
      [
        'reasoning that is not encrypted',
        [person, thought({ encrypted_content: undefined }), call('a'), output('a')],
        /not persisted/,
      ],
    ]);
  }
});
