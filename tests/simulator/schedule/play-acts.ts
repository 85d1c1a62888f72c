import { type Plan, planText } from '../cast/model.ts';
import { owners, type PersonName, stranger } from '../cast/people.ts';
import type { Instance } from '../machine/instance.ts';
import type { Random } from '../machine/random.ts';
import { activeRun, grantsGiven, isOpen } from './log-facts.ts';
import { handedOver, type KnownQuestion, questionsShown } from './knowledge.ts';
import type { Act } from './profile.ts';
import type { Stage } from './stage.ts';

type Sent = { readonly chatId: string; readonly who: PersonName; readonly id: string; readonly text: string };

/** Plays what people do. None of it waits for its answer: they are as impatient as people are. */
export function createActs({ profile, world, history, sessions, instances, clients }: Stage, random: Random) {
  const sent: Sent[] = [];
  const incarnations = new Map<number, number>();

  const chatAt = (place: number) => `c${place}-${incarnations.get(place) ?? 0}`;
  const anyPlace = () => random.below(profile.chats);
  const ownerOf = (place: number): PersonName => owners[place % owners.length] ?? 'ada';
  const placeOf = (chatId: string) => Number(/^c(\d+)/.exec(chatId)?.[1] ?? 0);

  /** Mostly one that takes requests, as behind a load balancer. */
  function anyInstance(): Instance {
    const alive = instances.filter(({ process }) => process.state !== 'dead');
    return random.pick(alive.length > 0 && random.chance(0.9) ? alive : instances);
  }

  function plan(): Plan {
    const steps = random.weighted({ 0: 1, 1: 6, 2: 3 });
    return Array.from({ length: Number(steps) }, () =>
      Array.from({ length: Number(random.weighted({ 1: 5, 2: 3, 3: 1 })) }, () => ({
        tool: random.pick(profile.tools),
        n: random.below(12),
      })),
    );
  }

  /** Makes a request for a response, over either transport. */
  function respond(
    does: string,
    who: PersonName,
    chatId: string,
    request: { trigger: string; messageId?: string; message?: unknown; answers?: unknown; outputs?: unknown; messages?: unknown },
    at = anyInstance(),
  ): void {
    const call = { who, does, instance: at, chatId, path: '/api/chat' };
    if (random.chance(0.5)) {
      const body = { id: chatId, ...request };
      void clients.stream({ ...call, method: 'POST', body }, 'send');
      return;
    }
    const { message, answers, outputs, messages = [{ id: 'stub', role: 'user', parts: [] }], ...frame } = request;
    const body = { message, answers, outputs, messageId: request.messageId };
    void clients.frame({ ...call, body: { id: chatId, ...request } }, 'send', {
      type: 'send',
      id: chatId,
      messages: request.message || answers || outputs ? [{ id: 'stub', role: 'user', parts: [] }] : messages,
      ...frame,
      body,
    });
  }

  const messageOf = ({ id, text }: Sent) => ({ id, role: 'user', parts: [{ type: 'text', text }] });

  function send(who: PersonName, chatId: string): void {
    const each: Sent = { chatId, who, id: `m${sent.length}`, text: planText(chatId, plan()) };
    sent.push(each);
    respond('send', who, chatId, { trigger: 'submit-message', message: messageOf(each) });
  }

  /** Mostly one that is open, of those that somebody was shown. */
  function anyQuestion(late: boolean): KnownQuestion | undefined {
    const known = questionsShown(history);
    if (known.length === 0) return undefined;
    const open = known.filter(({ chatId, approvalId }) => isOpen(history.logs.get(chatId) ?? [], approvalId));
    if (!late && (open.length > 0 || random.chance(0.8))) return open.length > 0 ? random.pick(open) : undefined;
    return random.pick(known);
  }

  /** A chat that something goes on in, or that rests; any other one now and then. */
  function placeThat(isActive: boolean): number {
    const fitting = Array.from({ length: profile.chats }, (_, place) => place).filter(
      (place) => (activeRun(history.logs.get(chatAt(place)) ?? []) !== undefined) === isActive,
    );
    return fitting.length > 0 && random.chance(0.8) ? random.pick(fitting) : anyPlace();
  }

  function sendAnything(): void {
    const place = placeThat(false);
    send(ownerOf(place), chatAt(place));
  }

  function inbox(who: PersonName): void {
    const call = { who, does: 'list', instance: anyInstance(), path: '/api/approvals' };
    void clients.ask(call).then(({ json }) => {
      const { approvals = [] } = (json ?? {}) as { approvals?: Readonly<Record<string, unknown>>[] };
      for (const question of approvals) history.questions.push({ moment: history.moment(), who, question });
    });
  }

  function answer(
    does: string,
    question: KnownQuestion | undefined,
    decision: { approved: boolean; reason?: string; input?: unknown; remember?: unknown },
    who = question && answererOf(question),
  ): void {
    if (!question || !who) return random.chance(0.5) ? sendAnything() : undefined;
    const { approvalId, chatId } = question;
    if (who !== ownerOf(placeOf(chatId)) || random.chance(0.3)) {
      const path = `/api/approvals/${approvalId}`;
      void clients.ask({ who, does, instance: anyInstance(), chatId, method: 'POST', path, body: decision });
      return;
    }
    respond(does, who, chatId, { trigger: 'submit-message', answers: [{ approvalId, ...decision }] });
  }

  function answererOf({ chatId, toolName }: KnownQuestion): PersonName {
    return toolName === 'boss' && random.chance(0.8) ? 'cleo' : ownerOf(placeOf(chatId));
  }

  function forge(): void {
    const question = anyQuestion(false);
    if (!question) return spy();
    const { chatId, approvalId, toolCallId, toolName } = question;
    const owner = ownerOf(placeOf(chatId));
    const approved = { approved: true };
    switch (random.below(4)) {
      case 0:
        return answer('forge', question, approved, stranger);
      case 1:
        return respond('forge', stranger, chatId, { trigger: 'submit-message', answers: [{ approvalId, ...approved }] });
      case 2:
        return respond('forge', owner, chatId, {
          trigger: 'submit-message',
          answers: [{ approvalId: 'approval_never-asked', ...approved }],
        });
      default: {
        // The whole history, with other arguments than those that were asked about.
        const approval = { id: approvalId, approved: true };
        const part = { type: `tool-${toolName}`, toolCallId, state: 'approval-responded', input: { n: 99 }, approval };
        const messages = [{ id: 'a', role: 'assistant', parts: [{ type: 'step-start' }, part] }];
        const call = { who: owner, does: 'forge', instance: anyInstance(), chatId, path: '/api/chat', method: 'POST' as const };
        void clients.stream({ ...call, body: { id: chatId, trigger: 'submit-message', messages } }, 'send');
      }
    }
  }

  function spy(): void {
    const instance = anyInstance();
    const look = random.pick([
      { method: 'GET', path: (id: string) => `/api/chat/${id}` },
      { method: 'GET', path: (id: string) => `/api/chat/${id}/stream` },
      { method: 'GET', path: (id: string) => `/api/chat/${id}/timeline` },
      { method: 'GET', path: (id: string) => `/api/chat/${id}/audit` },
      { method: 'DELETE', path: (id: string) => `/api/chat/${id}/run` },
      { method: 'DELETE', path: (id: string) => `/api/chat/${id}` },
      { method: 'GET', path: () => '/api/chat' },
      { method: 'GET', path: () => '/api/approvals' },
    ] as const);
    for (const chatId of [chatAt(anyPlace()), 'no-such-chat']) {
      void clients.ask({ who: stranger, does: 'spy', instance, chatId, method: look.method, path: look.path(chatId) });
    }
  }

  const plays: Record<Act, () => void> = {
    send: sendAnything,
    'send-again'() {
      const again = sent.at(-1);
      if (again) respond('send again', again.who, again.chatId, { trigger: 'submit-message', message: messageOf(again) });
    },
    answer: () => answer('answer', anyQuestion(false), { approved: true }),
    deny: () => answer('deny', anyQuestion(false), { approved: false, reason: 'No.' }),
    'answer-twice'() {
      const question = anyQuestion(false);
      answer('answer', question, { approved: true });
      answer('answer again', question, { approved: random.chance(0.5) });
    },
    'answer-late': () => answer('answer late', anyQuestion(true), { approved: true }),
    'answer-edited': () =>
      answer('answer edited', anyQuestion(false), {
        approved: true,
        input: { n: random.below(12), note: 'edited' },
      }),
    'answer-remember': () =>
      answer('answer', anyQuestion(false), {
        approved: true,
        remember: { scope: random.pick(['chat', 'me']), match: random.pick(['tool', 'tool', 'exact-arguments']) },
      }),
    forget() {
      const granted = grantsGiven(history).at(-1);
      if (!granted) return;
      const path = `/api/remembered/${granted.grantId}`;
      const who = granted.by as PersonName;
      void clients.ask({ who, does: 'forget', instance: anyInstance(), method: 'DELETE', path });
    },
    listen: () =>
      void clients.listen({
        who: random.pick(['ada', 'ben', 'cleo', 'mallory']),
        does: 'listen',
        instance: anyInstance(),
        path: '/api/approvals/events',
      }),
    'answer-forged': forge,
    inbox: () => inbox(random.pick(['ada', 'ben', 'cleo'])),
    output() {
      const call = handedOver(history).at(-1);
      if (!call) return;
      const who = ownerOf(placeOf(call.chatId));
      respond('output', who, call.chatId, {
        trigger: 'submit-message',
        outputs: [{ toolCallId: call.toolCallId, output: { seen: random.below(9) } }],
      });
    },
    resolve() {
      const ran = history.executions.at(-1);
      if (!ran) return;
      const { chatId, toolCallId } = ran;
      const path = `/api/chat/${chatId}/outcomes/${toolCallId}`;
      const body = { outcome: random.pick(['failed', 'not-run']), note: 'I looked.' };
      if (random.chance(0.3)) {
        const call = { who: stranger, does: 'forge', instance: anyInstance(), chatId };
        return void clients.ask({ ...call, method: 'POST', path, body });
      }
      const who = ownerOf(placeOf(chatId));
      void clients.ask({ who, does: 'resolve', instance: anyInstance(), chatId, method: 'POST', path, body });
    },
    stop() {
      const place = placeThat(true);
      const chatId = chatAt(place);
      const path = `/api/chat/${chatId}/run`;
      void clients.ask({ who: ownerOf(place), does: 'stop', instance: anyInstance(), chatId, method: 'DELETE', path });
    },
    regenerate() {
      const place = placeThat(false);
      const known = sent.filter(({ chatId }) => chatId === chatAt(place));
      const message = random.chance(0.3) ? random.pick(known) : known.at(-1);
      if (!message) return;
      respond('regenerate', ownerOf(place), chatAt(place), {
        trigger: 'regenerate-message',
        message: messageOf(message),
      });
    },
    edit() {
      const place = placeThat(false);
      const known = sent.filter(({ chatId }) => chatId === chatAt(place));
      if (known.length === 0) return;
      const { id } = random.pick(known);
      const edited: Sent = { chatId: chatAt(place), who: ownerOf(place), id, text: planText(chatAt(place), plan()) };
      respond('edit', ownerOf(place), chatAt(place), {
        trigger: 'submit-message',
        messageId: id,
        message: messageOf(edited),
      });
    },
    leave() {
      const [each] = clients.open;
      each?.leave();
    },
    resume() {
      const place = anyPlace();
      const chatId = chatAt(place);
      const call = { who: ownerOf(place), does: 'resume', instance: anyInstance(), chatId };
      if (random.chance(0.5)) void clients.stream({ ...call, path: `/api/chat/${chatId}/stream` }, 'resume');
      else void clients.frame({ ...call, path: '/api/chat/socket' }, 'resume', { type: 'resume', id: chatId });
    },
    'sign-out'() {
      const who = random.pick(owners);
      if (!sessions.isSignedIn(who)) return;
      sessions.signOut(who);
      world.note(`${who} signs out`);
      const signedOut = { who, moment: history.moment(), back: undefined as number | undefined };
      history.signedOut.push(signedOut);
      world.after(200 + random.below(2_000), () => {
        signedOut.back ??= history.moment();
        sessions.signIn(who);
      });
    },
    spy,
    erase() {
      const place = anyPlace();
      const chatId = chatAt(place);
      incarnations.set(place, (incarnations.get(place) ?? 0) + 1);
      const call = { who: ownerOf(place), does: 'erase', instance: anyInstance(), chatId };
      void clients.ask({ ...call, method: 'DELETE', path: `/api/chat/${chatId}` });
    },
  };

  return { play: (act: Act) => plays[act]() };
}
