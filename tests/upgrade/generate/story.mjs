import {
  ada,
  auditKey,
  bob,
  fixtureDetails,
  fixtureTools,
  followOrders,
  leaseMs,
  madeAt,
} from '../fixture-flow.ts';

const silent = { warn: () => {}, error: () => {} };

/**
 * What people did with the older version, until it was stopped.
 *
 * @param openStore a store on the one database
 * @returns by chat: whose it is, its messages as shown, its open question and the head of its record
 */
export async function liveThrough(old, openStore) {
  const clock = old.fakeClock(madeAt - 3_600_000);
  let ids = 0;
  const random = () => String(++ids).padStart(22, '0');
  const tick = () => clock.advance(1_000);
  const open = () => ({ ...openStore(), clock: { now: clock.now, measure: async () => {} } });
  const store = open();

  const begin = (on) =>
    old.createApprovalFlow({
      store: on,
      model: old.scriptedModel(followOrders),
      tools: fixtureTools().tools,
      toolDetails: fixtureDetails(old.notTheAsker),
      plugins: [old.remembered()],
      ...{ auditKey, leaseMs, clock, random, logger: silent, retry: false },
    });
  const flow = begin(store);

  /** A chat by its pages; each request is read to its end. */
  function chatOf(id, by = flow, principal = ada) {
    const chatId = old.parseChatId(id);
    let messages = 0;
    const ask = async (request) => {
      tick();
      const given = { chatId, principal, trigger: 'submit-message', via: 'sse', ...request };
      return old.collect(old.uiMessageChunks(await by.chats.respond(given)));
    };
    const openQuestion = async () => (await flow.chats.read({ chatId, principal })).open;
    return {
      chatId,
      openQuestion,
      say(text) {
        messages += 1;
        return ask({ message: { id: `${id}-${messages}`, parts: [{ type: 'text', text }] } });
      },
      answer: async (approved, more) =>
        ask({ answers: [{ approvalId: await openQuestion(), approved, ...more }] }),
      stop() {
        tick();
        return by.chats.stop({ chatId, principal });
      },
    };
  }

  /** Asks for a call, approves it, and dies at a point of the log. */
  async function dies(id, order, event) {
    const dying = old.dyingStore(open(), { when: 'after', event, chatId: id });
    const page = chatOf(id, begin(dying.store));
    const said = page.say(order);
    if (event !== 'run-started') {
      await said;
      void page.answer(true);
    }
    await dying.died;
  }

  const ended = chatOf('ended');
  await ended.say('pay {"to":"alice","amount":30}');
  await ended.answer(true, { reason: 'Checked.', input: { to: 'alice', amount: 25 } });
  await ended.say('weather {"city":"Oslo"}');
  await ended.say('Thanks.');

  const denied = chatOf('denied');
  await denied.say('pay {"to":"mallory","amount":1000}');
  await denied.answer(false, { reason: 'Too much.' });

  const failed = chatOf('failed');
  await failed.say('pay {"to":"nobody","amount":5}');
  await failed.answer(true);

  const superseded = chatOf('superseded');
  await superseded.say('pay {"to":"alice","amount":7}');
  await superseded.say('Never mind.');
  const stopped = chatOf('stopped');
  await stopped.say('pay {"to":"alice","amount":8}');
  await stopped.stop();

  const grants = chatOf('grants');
  for (const [tool, scope, match] of [
    ['note_in_chat', 'chat', 'tool'],
    ['note_in_chat_exactly', 'chat', 'exact-arguments'],
    ['note_anywhere', 'me', 'tool'],
    ['note_anywhere_exactly', 'me', 'exact-arguments'],
  ]) {
    await grants.say(`${tool} {"n":1}`);
    await grants.answer(true, { plugins: { remembered: { scope, match } } });
  }
  await grants.say('note_in_chat {"n":2}');

  await dies('unknown', 'pay {"to":"alice","amount":9}', 'tool-started');
  clock.advance(2 * leaseMs);
  await flow.recover();
  while ((await store.chats.head('unknown')).status === 'active') {
    const stream = await flow.chats.resume({ chatId: 'unknown', principal: ada });
    if (stream) await old.collect(stream.events);
  }

  await chatOf('open').say('pay {"to":"alice","amount":30}');
  const between = chatOf('between');
  await between.say('pay {"to":"alice","amount":30}; pay {"to":"bob","amount":40}');
  await between.answer(true);
  await chatOf('deadline').say('book {"to":"hotel","amount":90}');
  await chatOf('secret').say('login {"user":"ada","password":"swordfish"}');
  await chatOf('for-others').say('wire {"to":"carol","amount":5000}');
  await chatOf('in-browser').say('locate {}');
  await chatOf('in-browser-running').say('theme {}');
  await chatOf('provider').say('mcp.send_mail {"to":"bob"}');
  await chatOf('of-bob', flow, bob).say('pay {"to":"dora","amount":3}');
  await chatOf('two').say('pay {"to":"alice","amount":11}; pay {"to":"bob","amount":12}');

  await dies('crashed', 'pay {"to":"alice","amount":50}', 'tool-started');
  await dies('crashed-idempotent', 'charge {"to":"alice","amount":51}', 'tool-started');
  await dies('crashed-provider', 'mcp.send_mail {"to":"eve"}', 'tool-started');
  await dies('crashed-talking', 'Hello.', 'run-started');
  await dies('crashed-stopped', 'pay {"to":"alice","amount":52}', 'tool-started');
  await chatOf('crashed-stopped').stop();

  const chats = {};
  for (const principal of [ada, bob]) {
    const { items } = await flow.chats.list({ principal, limit: 100 });
    for (const { id, status } of items.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      const { messages, open: question } = await flow.chats.read({ chatId: id, principal });
      const { entries, head } = await flow.audit.read({ chatId: id, principal });
      const record = { entries: entries.length, head };
      chats[id] = { owner: principal.id, status, open: question, messages: messages.map(shown), record };
    }
  }
  return chats;
}

/** A message as a person sees it. */
function shown({ id, role, parts }) {
  const seen = parts.flatMap((part) => {
    if (part.type === 'text') return { type: part.type, text: part.text };
    if (!('toolCallId' in part)) return [];
    const { type, toolCallId, toolName, state, input, output, errorText } = part;
    return { type, toolCallId, toolName, state, input, output, errorText };
  });
  return { id, role, parts: seen };
}
