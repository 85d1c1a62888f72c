/** One page of the local replacement for the web. */
export type WebPage = { readonly title: string; readonly url: string; readonly text: string };

/** Pages that the demo can find without a network. The domain is reserved, so none of these addresses exists. */
export const webCorpus: readonly WebPage[] = [
  {
    title: 'Timeline of the first Moon landing',
    url: 'https://example.org/space/moon-landing-timeline',
    text: 'Apollo 11 left Earth on 16 July 1969. The lunar module Eagle landed on the Moon on 20 July; Neil Armstrong and Buzz Aldrin walked on its surface while Michael Collins stayed in orbit. The crew came back on 24 July.',
  },
  {
    title: 'Apollo programme: missions and landings',
    url: 'https://example.org/space/apollo-missions',
    text: 'Six Apollo missions landed people on the Moon between 1969 and 1972. The timeline of the programme also holds the Apollo 1 fire and the return of Apollo 13 without a landing.',
  },
  {
    title: 'What lunar samples taught us',
    url: 'https://example.org/space/lunar-samples',
    text: 'The landings brought back 382 kilograms of rock. Their age and make-up support the idea that the Moon formed after a great collision with the young Earth.',
  },
  {
    title: 'Human in the loop: when software should ask',
    url: 'https://example.org/software/human-in-the-loop',
    text: 'An assistant that acts for a person should ask for approval before an action with an effect that is hard to undo: a payment, a deletion, a message to others. Good questions say what will happen, in one sentence.',
  },
  {
    title: 'Tool calling with language models',
    url: 'https://example.org/software/tool-calling',
    text: 'A language model asks for a tool by name and with arguments; the program decides whether to run it and gives back the result. AI agents repeat this until the answer is ready.',
  },
  {
    title: 'Server-sent events in practice',
    url: 'https://example.org/software/server-sent-events',
    text: 'SSE is a one-way stream of text frames over HTTP. Browsers reconnect by themselves and send the last event id, so that a server can replay what was missed.',
  },
  {
    title: 'WebSocket, a two-way connection',
    url: 'https://example.org/software/websocket',
    text: 'A WebSocket begins as an HTTP request that is upgraded. Both sides may then send frames at any time. Check the Origin header during the handshake.',
  },
  {
    title: 'SQLite: a database in a file',
    url: 'https://example.org/software/sqlite',
    text: 'SQLite keeps a whole database in one file. Write-ahead logging (WAL) lets readers work while one writer appends.',
  },
  {
    title: 'Exactly once, at most once, at least once',
    url: 'https://example.org/software/delivery-guarantees',
    text: 'A crash between an effect and its record leaves an unknown outcome. Idempotency keys make a second attempt harmless; without one, at most once is the safe choice for payments.',
  },
  {
    title: 'TypeScript in one page',
    url: 'https://example.org/software/typescript',
    text: 'TypeScript adds types to JavaScript. Recent versions of Node run files with erasable types as they are, without a build.',
  },
  {
    title: 'A weekend in Tokyo',
    url: 'https://example.org/travel/tokyo',
    text: 'Start at Tsukiji for breakfast, walk through Ueno park, and see the city by night from Shibuya. Spring and autumn have the mildest weather.',
  },
  {
    title: 'How to brew good coffee',
    url: 'https://example.org/food/coffee',
    text: 'Use 60 grams of freshly ground coffee for a litre of water just off the boil. Grind finer if the cup tastes sour, coarser if it tastes bitter.',
  },
  {
    title: 'Why leaves change their colour',
    url: 'https://example.org/nature/autumn-leaves',
    text: 'In autumn trees stop making chlorophyll. The green fades, and yellow and red pigments show before the leaves fall.',
  },
];
