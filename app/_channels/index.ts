import type { Channel, ChannelSettings, ConfiguredChannels, Environment } from './channel.ts';
import { email } from './email.ts';
import { answerLinks } from './links.ts';
import { slack } from './slack.ts';
import { webhooks } from './webhooks.ts';

/** The channels of the app. Links come first, because messages contain them. */
const channels: readonly Channel[] = [answerLinks, slack, email, webhooks];

/** Reads the variables of all channels. @throws Error that names the variable and the expected value */
export function readChannels(environment: Environment, settings: ChannelSettings): ConfiguredChannels {
  return new Map(
    channels.flatMap((channel) => {
      const open = channel(environment, settings);
      return open ? [[channel, open] as const] : [];
    }),
  );
}
