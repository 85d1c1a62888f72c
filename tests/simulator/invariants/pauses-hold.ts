import { type Invariant, tally } from './invariant.ts';

/**
 * On the instance that paused a tool, none of its calls starts from then on. Other instances follow within a sweep.
 */
export const pausesHold: Invariant = {
  name: 'a pause holds',
  check({ paused, executions }) {
    const { verify, result } = tally();
    for (const { tool, instance, from, to = Number.POSITIVE_INFINITY } of paused) {
      const ran = executions.find(
        (each) =>
          each.instance === instance &&
          (tool === undefined || each.toolName === tool) &&
          // Ending another pause of the same tool ends this one as well.
          !paused.some((other) => other.tool === tool && (other.to ?? to) < each.moment) &&
          each.moment > from &&
          each.moment < to,
      );
      verify(
        ran &&
          `${instance} had paused ${tool ?? 'everything'}, and ran ${ran.chatId}/${ran.toolCallId} (${ran.tool})`,
      );
    }
    return result();
  },
};
