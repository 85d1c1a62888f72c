import { owners, type PersonName, stranger } from '../actors/people.ts';
import { planText, randomPlan } from '../actors/plan.ts';
import type { Random } from '../machine/random.ts';
import { grantsGiven } from './log-facts.ts';
import type { Act } from './profile.ts';
import type { Requests } from './requests.ts';
import { handedOver } from './shown-questions.ts';
import type { Stage } from './stage.ts';

/** Plays the actions of people, one at a time. */
export function createActs(
  { profile, world, history, sessions, clients }: Stage,
  requests: Requests,
  random: Random,
) {
  const { sent, chatAt, anyPlace, anyInstance, ownerOf, placeOf, placeThat, anyQuestion, messageOf } =
    requests;
  const { respond, sendAnything, answer, inbox, forge, spy, leaveChat } = requests;

  const plays: Record<Act, () => void> = {
    send: sendAnything,
    'send-again'() {
      const again = sent.at(-1);
      if (again)
        respond('send again', again.who, again.chatId, {
          trigger: 'submit-message',
          message: messageOf(again),
        });
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
        plugins: {
          remembered: {
            scope: random.pick(['chat', 'me']),
            match: random.pick(['tool', 'tool', 'exact-arguments']),
          },
        },
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
      void clients.ask({
        who: ownerOf(place),
        does: 'stop',
        instance: anyInstance(),
        chatId,
        method: 'DELETE',
        path,
      });
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
      const edited = {
        chatId: chatAt(place),
        who: ownerOf(place),
        id,
        text: planText(chatAt(place), randomPlan(random, profile)),
      };
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
      else
        void clients.frame({ ...call, path: '/api/chat/socket' }, 'resume', { type: 'resume', id: chatId });
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
      leaveChat(place);
      const call = { who: ownerOf(place), does: 'erase', instance: anyInstance(), chatId };
      void clients.ask({ ...call, method: 'DELETE', path: `/api/chat/${chatId}` });
    },
  };

  return (act: Act) => plays[act]();
}
