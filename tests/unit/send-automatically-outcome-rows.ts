import {
  approved,
  asked,
  automatic,
  called,
  denied,
  dynamic,
  failed,
  guarding,
  here,
  mark,
  output,
  refused,
  row,
  text,
} from './send-automatically-parts.ts';

/** Hand-made rows for stand-ins, other outcomes and client-executed tools (P6-P8). */
export const outcomeRows = [
  row(
    'a confirmation call whose call has its output no longer counts [P6]',
    [mark, output('a'), guarding('a', approved('c'))],
    'neither',
  ),
  row(
    'a confirmation call whose call failed no longer counts [P6]',
    [mark, failed('a'), guarding('a', approved('c'))],
    'neither',
  ),
  row(
    'a confirmation call whose call was denied no longer counts [P6]',
    [mark, refused('a'), guarding('a', denied('c'))],
    'neither',
  ),
  row(
    'a preliminary output does not settle the confirmation call [P6]',
    [mark, output('a', { preliminary: true }), guarding('a', approved('c'))],
    'both',
  ),
  row(
    'the guarded call is found in an earlier response too [P6]',
    [mark, output('a'), mark, guarding('a', approved('c'))],
    'neither',
  ),
  row(
    'the guarded call is found after the confirmation call too [P6]',
    [mark, guarding('a', approved('c')), output('a')],
    'neither',
  ),
  row(
    "another call's output does not settle the confirmation call [P6]",
    [mark, output('b'), guarding('a', approved('c'))],
    'both',
  ),
  row(
    'a settled confirmation call does not block another answer [P6]',
    [mark, output('a'), guarding('a', approved('c')), approved('b')],
    'both',
  ),
  row(
    'of two confirmation calls, a settled one does not count [P6]',
    [mark, output('a'), called('b'), guarding('a', approved('c')), guarding('b', approved('d'))],
    'both',
  ),
  row(
    'a confirmation call without an id to guard stays answered [P6]',
    [mark, output('a'), guarding(undefined, approved('c'))],
    'both',
  ),
  row(
    'a confirmation call without an id is used once a call after it failed, in a later step too [P6]',
    [mark, guarding(undefined, approved('c')), mark, failed('a')],
    'neither',
  ),
  row(
    'a preliminary output after a confirmation call without an id does not use it [P6]',
    [mark, guarding(undefined, approved('c')), output('a', { preliminary: true })],
    'both',
  ),
  row(
    'of two confirmation calls without an id, the one after the ended call counts [P6]',
    [mark, guarding(undefined, approved('c')), output('a'), guarding(undefined, approved('d'))],
    'both',
  ),
  row(
    'a used confirmation call without an id does not block another answer [P6]',
    [mark, guarding(undefined, approved('c')), output('a'), approved('b')],
    'both',
  ),
  row(
    'outcomes do not reply to a confirmation call whose own call still runs [P4, P6]',
    [mark, output('b'), called('a'), guarding('a', approved('c')), mark],
    'bidi',
  ),
  row(
    'a confirmation call that guards a call by a number guards nothing [P6]',
    [mark, output('a', { toolCallId: 1 }), guarding(1, approved('c'))],
    'both',
  ),
  row(
    'a confirmation call that guards __proto__ finds that call by its id [P6]',
    [mark, output('__proto__'), guarding('__proto__', approved('c'))],
    'neither',
  ),
  row(
    'a confirmation call that guards __proto__ finds no call of another id [P6]',
    [mark, output('a'), guarding('__proto__', approved('c'))],
    'both',
  ),
  row(
    'an ordinary tool with such an input is not a confirmation call [P6]',
    [mark, output('a'), { ...guarding('a', approved('c')), type: 'tool-other' }],
    'both',
  ),
  row(
    'other outputs and errors do not block [P7]',
    [mark, output('a'), failed('b'), refused('c'), approved('d'), output('e'), failed('f')],
    'both',
  ),
  row('a server call that still runs does not block [P7]', [mark, called('a'), approved('b')], 'both'),
  row(
    'a preliminary output does not block [P7]',
    [mark, output('a', { preliminary: true }), approved('b')],
    'both',
  ),
  row('an approved client tool waits for its output [P8]', [mark, here(approved('g'))], 'neither', [
    'get_location',
  ]),
  row(
    'an automatically approved client tool waits for its output [P8]',
    [mark, here(approved('g', automatic({ id: 'q', approved: true }))), approved('a')],
    'neither',
    ['get_location'],
  ),
  row(
    'an ungated client tool without output waits [P8]',
    [mark, approved('a'), here(called('g'))],
    'neither',
    ['get_location'],
  ),
  row(
    'one of two client tools without output waits [P8]',
    [mark, here(output('g')), here(called('h'))],
    'neither',
    ['get_location'],
  ),
  row(
    'the last of two client tools with an outcome is sent [P8]',
    [mark, here(output('g')), here(failed('h'))],
    'both',
    ['get_location'],
  ),
  row(
    'a preliminary output is not an outcome [P8]',
    [mark, here(output('g', { preliminary: true }))],
    'neither',
    ['get_location'],
  ),
  row('a denied client tool does not block [P8]', [mark, here(denied('g')), approved('a')], 'both', [
    'get_location',
  ]),
  row('a settled denial is not a client outcome [P8]', [mark, here(refused('g'))], 'neither', [
    'get_location',
  ]),
  row(
    'an outcome that the server settled is not a client outcome [P8]',
    [mark, here(output('g', { providerExecuted: true }))],
    'neither',
    ['get_location'],
  ),
  row(
    'what the server is settling does not wait for a client [P8]',
    [mark, here(called('g', { providerExecuted: true })), approved('a')],
    'both',
    ['get_location'],
  ),
  row('a dynamic client tool counts by its name [P8]', [mark, dynamic(output('g'), 'get_location')], 'both', [
    'get_location',
  ]),
  row(
    'a dynamic client tool waits by its name [P8]',
    [mark, dynamic(approved('g'), 'get_location')],
    'neither',
    ['get_location'],
  ),
  row(
    'an open question beside a client output blocks [P8, P5]',
    [mark, here(output('g')), asked('a')],
    'neither',
    ['get_location'],
  ),
  row(
    'a reply in a later step stops it [P8, P4]',
    [mark, here(output('g')), mark, text('Tokyo.')],
    'neither',
    ['get_location'],
  ),
  row(
    'text in its own marked step is not a reply [P8, P4]',
    [mark, here(output('g')), text('Looking.')],
    'both',
    ['get_location'],
  ),
  row(
    'an output of an earlier response counts only for BIDI [P8, P1]',
    [mark, here(output('g')), mark],
    'bidi',
    ['get_location'],
  ),
  row(
    'a call of an earlier response waits for its client only over BIDI [P8, P1]',
    [mark, here(called('g')), mark, approved('a')],
    'sse',
    ['get_location'],
  ),
  row(
    'outcomes alone do not reply to an answer that has none beside a client output [P8, P4]',
    [mark, output('a'), mark, approved('b'), here(output('g')), mark],
    'bidi',
    ['get_location'],
  ),
  row('without the setting, a client output is not an answer [P8]', [mark, here(output('g'))], 'neither'),
  row("another tool's output is not a client outcome [P8]", [mark, output('a')], 'neither', ['get_location']),
  row(
    'a client tool named like a prototype member is found by name only [P8]',
    [mark, { ...output('g'), type: 'tool-constructor' }],
    'neither',
    ['get_location'],
  ),
  row(
    'a client tool may be named constructor [P8]',
    [mark, { ...output('g'), type: 'tool-constructor' }],
    'both',
    ['constructor'],
  ),
  row(
    'a dynamic tool without a name is not a client tool [P8]',
    [mark, { ...dynamic(output('g')), toolName: undefined }],
    'neither',
    ['get_location', 'undefined'],
  ),
];
