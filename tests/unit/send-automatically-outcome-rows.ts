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
    'P6 a stand-in whose call has its output is used up',
    [mark, output('a'), guarding('a', approved('c'))],
    'neither',
  ),
  row(
    'P6 a stand-in whose call failed is used up',
    [mark, failed('a'), guarding('a', approved('c'))],
    'neither',
  ),
  row(
    'P6 a stand-in whose call was denied is used up',
    [mark, refused('a'), guarding('a', denied('c'))],
    'neither',
  ),
  row(
    'P6 a preliminary output does not use the stand-in up',
    [mark, output('a', { preliminary: true }), guarding('a', approved('c'))],
    'both',
  ),
  row(
    'P6 the guarded call counts in an earlier response too',
    [mark, output('a'), mark, guarding('a', approved('c'))],
    'neither',
  ),
  row(
    'P6 the guarded call counts behind the stand-in too',
    [mark, guarding('a', approved('c')), output('a')],
    'neither',
  ),
  row(
    "P6 another call's output does not use the stand-in up",
    [mark, output('b'), guarding('a', approved('c'))],
    'both',
  ),
  row(
    'P6 a used-up stand-in does not hold back another answer',
    [mark, output('a'), guarding('a', approved('c')), approved('b')],
    'both',
  ),
  row(
    'P6 two stand-ins, one used up',
    [mark, output('a'), called('b'), guarding('a', approved('c')), guarding('b', approved('d'))],
    'both',
  ),
  row(
    'P6 a stand-in without an id to guard stays answered',
    [mark, output('a'), guarding(undefined, approved('c'))],
    'both',
  ),
  row(
    'P6 a stand-in that guards a call by a number guards nothing',
    [mark, output('a', { toolCallId: 1 }), guarding(1, approved('c'))],
    'both',
  ),
  row(
    'P6 a stand-in that guards __proto__ finds that call by its id',
    [mark, output('__proto__'), guarding('__proto__', approved('c'))],
    'neither',
  ),
  row(
    'P6 a stand-in that guards __proto__ finds no call of another id',
    [mark, output('a'), guarding('__proto__', approved('c'))],
    'both',
  ),
  row(
    'P6 an ordinary tool with such an input is no stand-in',
    [mark, output('a'), { ...guarding('a', approved('c')), type: 'tool-other' }],
    'both',
  ),
  row(
    'P7 other outputs and errors do not block',
    [mark, output('a'), failed('b'), refused('c'), approved('d'), output('e'), failed('f')],
    'both',
  ),
  row('P7 a server call that still runs does not block', [mark, called('a'), approved('b')], 'both'),
  row(
    'P7 a preliminary output does not block',
    [mark, output('a', { preliminary: true }), approved('b')],
    'both',
  ),
  row('P8 an approved client tool waits for its output', [mark, here(approved('g'))], 'neither', [
    'get_location',
  ]),
  row(
    'P8 an automatically approved client tool waits for its output',
    [mark, here(approved('g', automatic({ id: 'q', approved: true }))), approved('a')],
    'neither',
    ['get_location'],
  ),
  row('P8 an ungated client tool without output waits', [mark, approved('a'), here(called('g'))], 'neither', [
    'get_location',
  ]),
  row(
    'P8 one of two client tools without output waits',
    [mark, here(output('g')), here(called('h'))],
    'neither',
    ['get_location'],
  ),
  row(
    'P8 the last of two client tools with an outcome sends',
    [mark, here(output('g')), here(failed('h'))],
    'both',
    ['get_location'],
  ),
  row('P8 a preliminary output is not done', [mark, here(output('g', { preliminary: true }))], 'neither', [
    'get_location',
  ]),
  row('P8 a denied client tool waits for nothing', [mark, here(denied('g')), approved('a')], 'both', [
    'get_location',
  ]),
  row('P8 a settled denial is not done', [mark, here(refused('g'))], 'neither', ['get_location']),
  row(
    'P8 what the server settled is not done',
    [mark, here(output('g', { providerExecuted: true }))],
    'neither',
    ['get_location'],
  ),
  row(
    'P8 what the server is settling waits for no client',
    [mark, here(called('g', { providerExecuted: true })), approved('a')],
    'both',
    ['get_location'],
  ),
  row('P8 a dynamic client tool counts by its name', [mark, dynamic(output('g'), 'get_location')], 'both', [
    'get_location',
  ]),
  row(
    'P8 a dynamic client tool waits by its name',
    [mark, dynamic(approved('g'), 'get_location')],
    'neither',
    ['get_location'],
  ),
  row(
    'P8 with P5 an open question beside a client output waits',
    [mark, here(output('g')), asked('a')],
    'neither',
    ['get_location'],
  ),
  row(
    'P8 with P4 a reply in a later step stops it',
    [mark, here(output('g')), mark, text('Tokyo.')],
    'neither',
    ['get_location'],
  ),
  row(
    'P8 with P4 text in its own marked step is no reply',
    [mark, here(output('g')), text('Looking.')],
    'both',
    ['get_location'],
  ),
  row(
    "P8 with P1 an output of an earlier response is BIDI's alone",
    [mark, here(output('g')), mark],
    'bidi',
    ['get_location'],
  ),
  row('P8 without it a client output is no answer', [mark, here(output('g'))], 'neither'),
  row("P8 another tool's output is not done", [mark, output('a')], 'neither', ['get_location']),
  row(
    'P8 a client tool named like a prototype member is found by name only',
    [mark, { ...output('g'), type: 'tool-constructor' }],
    'neither',
    ['get_location'],
  ),
  row(
    'P8 a client tool may be called constructor',
    [mark, { ...output('g'), type: 'tool-constructor' }],
    'both',
    ['constructor'],
  ),
  row(
    "P8 a dynamic tool without a name is nobody's",
    [mark, { ...dynamic(output('g')), toolName: undefined }],
    'neither',
    ['get_location', 'undefined'],
  ),
];
