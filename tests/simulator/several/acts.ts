import { type PersonName, stranger } from '../actors/people.ts';
import { isOpen } from '../schedule/log-facts.ts';
import type { Part } from '../schedule/part.ts';
import { type KnownQuestion, questionsShown } from '../schedule/shown-questions.ts';
import { voters } from './settings.ts';

/** What people do in schedules with several of them: they vote at once, answer by a step, delegate, and revoke. */
export const meetsSeveral: Part = (stage) => {
  const { world, history, instances, clients } = stage;
  const { several } = stage.profile;
  if (!several) return undefined;
  const { delegates, voted, acts } = several;
  const random = stage.random('acts of several people');
  const meeting = stage.random('several people');
  /** Ids of delegations, in the order in which they were made. */
  const made: { readonly id: string; readonly by: PersonName }[] = [];

  const anyInstance = () => random.pick(instances);

  function openQuestion(): KnownQuestion | undefined {
    const open = questionsShown(history).filter(({ chatId, approvalId }) =>
      isOpen(history.logs.get(chatId) ?? [], approvalId),
    );
    return open.length === 0 ? undefined : random.pick(open);
  }

  function answer(who: PersonName, { chatId, approvalId }: KnownQuestion, body: object): void {
    const path = `/api/approvals/${approvalId}`;
    void clients.ask({ who, does: 'vote', instance: anyInstance(), chatId, method: 'POST', path, body });
  }

  /** An answer, which sometimes denies, or changes the arguments. */
  function opinion(): object {
    if (random.chance(0.15)) return { approved: false, reason: 'No.' };
    if (random.chance(0.15)) return { approved: true, input: { n: random.below(12), note: 'edited' } };
    return { approved: true };
  }

  function lookAround(who: PersonName): void {
    const call = { who, does: 'list', instance: anyInstance(), path: '/api/approvals' };
    void clients.ask(call).then(({ json }) => {
      const { approvals = [] } = (json ?? {}) as { approvals?: Readonly<Record<string, unknown>>[] };
      for (const question of approvals) history.questions.push({ moment: history.moment(), who, question });
    });
  }

  /** Somebody who may answer a question. */
  function giverFor({ chatId, toolName }: KnownQuestion): PersonName {
    const name = toolName.split('/').at(-1);
    if (name === 'boss') return 'cleo';
    if (voted.some((each) => each === name)) return random.pick(voters);
    return (history.owners.get(chatId) ?? 'ada') as PersonName;
  }

  function delegate(): void {
    const asked = openQuestion();
    const who = asked ? giverFor(asked) : random.pick(voters);
    const to = random.pick(['dora', 'dora', 'cleo', 'ada', 'ben'] as const);
    const until = new Date(world.now() + 300 + random.below(6_000)).toISOString();
    const call = { who, does: 'delegate', instance: anyInstance(), path: '/api/delegations' };
    void clients.ask({ ...call, method: 'POST', body: { to, until } }).then(({ status, json }) => {
      if (status !== 201) return;
      const { delegation } = json as { delegation: { id: string } };
      made.push({ id: delegation.id, by: who });
      // The other person answers soon, sometimes too late.
      for (let time = 0; time < 3; time += 1) {
        world.after(random.below(3_000), () => {
          const isOpenStill = asked && isOpen(history.logs.get(asked.chatId) ?? [], asked.approvalId);
          const question = isOpenStill ? asked : openQuestion();
          if (question) answer(to, question, opinion());
        });
      }
    });
  }

  function revoke(): void {
    const last = made.at(-1);
    if (!last) return;
    const path = `/api/delegations/${last.id}`;
    const who = random.chance(0.1) ? stranger : last.by;
    void clients.ask({ who, does: 'revoke', instance: anyInstance(), method: 'DELETE', path });
  }

  const plays = {
    /** Everybody at the same moment, at any instances. */
    together() {
      const question = openQuestion();
      if (question) for (const who of voters) answer(who, question, opinion());
    },
    /** One person, from two places at once. */
    twice() {
      const question = openQuestion();
      const who = random.pick(voters);
      if (question) for (let time = 0; time < 2; time += 1) answer(who, question, { approved: true });
    },
    one() {
      const question = openQuestion();
      if (question) answer(random.pick(['ada', 'ben', 'cleo', 'dora', 'mallory']), question, opinion());
    },
    look: () => lookAround(random.pick(['cleo', 'dora'])),
    delegate: () => (delegates ? delegate() : plays.one()),
    revoke: () => (delegates ? revoke() : plays.one()),
  };

  return () => {
    if (!meeting.chance(acts)) return false;
    plays[random.weighted({ together: 2, twice: 1, one: 4, look: 2, delegate: 4, revoke: 2 })]();
    return true;
  };
};
