import { messageOf, playToItsEnd, send } from './answers.ts';
import { eventsOf, proves } from './proofs.ts';
import { chatId, type Member } from './stage.ts';

/** What the kernel does in turns, apart from questions about its own tools. */
export const features = {
  'client-tools': (setup) => {
    setup.steps.push(['page:1', 'pay:3']);
    proves(setup, 'client-tools', () => count(setup, 'tool-completed', 'page') > 0 || eventsOf(setup));
  },
  'provider-approvals': (setup) => {
    setup.steps.push(['provider']);
    proves(
      setup,
      'provider-approvals',
      () => count(setup, 'tool-completed', 'mcp.send') > 0 || eventsOf(setup),
    );
  },
  subagents: (setup) => {
    setup.steps.push(['team']);
    proves(setup, 'subagents', () => count(setup, 'tool-completed', 'team/pay') > 0 || eventsOf(setup));
  },
  secrets: (setup) => {
    setup.secret = ['pay'];
    proves(setup, 'secrets', async () => {
      const { chats } = setup.stage().flow;
      const timeline = await chats.timeline({
        chatId: chatId as never,
        principal: { id: 'ada', name: 'Ada' },
      });
      const text = JSON.stringify(timeline);
      return text.includes('[redacted]') && !text.includes('edited');
    });
  },
  regenerate: (setup) => {
    setup.after.push(async () => {
      const stage = setup.stage();
      await send(stage, 'regenerate', { trigger: 'regenerate-message', message: messageOf(setup, 'm0') });
      await playToItsEnd(stage);
    });
    proves(setup, 'regenerate', () => {
      const turns = eventsOf(setup).filter((event) => event.type === 'message-received');
      return turns.length > 0 && eventsOf(setup).filter(({ type }) => type === 'run-completed').length >= 2;
    });
  },
  stop: (setup) => {
    setup.after.push(async () => {
      const stage = setup.stage();
      await send(stage, 'send', {
        trigger: 'submit-message',
        message: messageOf(setup, 'm1', [['stubborn:9']]),
      });
      await playToItsEnd(stage, { stopsAt: 'tool-started' });
      const path = `/api/chat/${chatId}/run`;
      await stage.clients.ask({
        who: 'ada',
        does: 'stop',
        instance: stage.reached,
        chatId,
        method: 'DELETE',
        path,
      });
      await playToItsEnd(stage);
    });
    proves(
      setup,
      'stop',
      () => eventsOf(setup).some(({ type }) => type === 'run-cancelled') || eventsOf(setup).slice(-4),
    );
  },
} satisfies Record<string, Member>;

/** How many calls of a tool have an event of this type. */
function count(setup: Parameters<typeof eventsOf>[0], type: string, toolName: string): number {
  const events = eventsOf(setup);
  const ids = events.flatMap((event) =>
    event.type === 'tool-requested' && event.toolName === toolName ? [event.toolCallId] : [],
  );
  return events.filter(
    (event) => event.type === type && 'toolCallId' in event && ids.includes(event.toolCallId),
  ).length;
}
