import type { ApprovalFlow } from 'countersign';
import type { Authorize } from 'countersign/http/server';
import type { FlowPlugin, Subscriber } from 'countersign/plugin';
import type { ReachablePerson } from './people.ts';

/** The variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of the app that concern its channels. */
export type ChannelSettings = {
  /** The public address, without a path. */
  readonly url?: string;
  readonly secret: string;
  /** True if the server listens on this machine only. */
  readonly isLocal: boolean;
  /** Whom channels can reach, and who they are here. */
  readonly people: readonly ReachablePerson[];
};

/** Makes the link by which a person answers a question. */
export type CreateLink = (request: {
  readonly approvalId: string;
  readonly for: { readonly id: string };
}) => Promise<string>;

/** What channels share. */
type Shared = {
  readonly authorize: Authorize;
  /** Absent unless an earlier channel makes links. */
  readonly createLink?: CreateLink;
};

/** What a channel adds to the app. */
type ChannelParts = {
  readonly plugin?: FlowPlugin;
  readonly subscriber?: Subscriber;
  readonly createLink?: CreateLink;
  /** Handles the requests to the channel's own route. */
  readonly handler?: (flow: ApprovalFlow) => (request: Request) => Promise<Response>;
};

/** Opens a channel that is configured. */
type OpenChannel = (shared: Shared) => ChannelParts;

/**
 * Reads the variables of a channel.
 *
 * @returns `undefined` if the channel is not configured
 * @throws Error that names the variable and the expected value
 */
export type Channel = (environment: Environment, settings: ChannelSettings) => OpenChannel | undefined;

/** The channels that are configured. */
export type ConfiguredChannels = ReadonlyMap<Channel, OpenChannel>;

/** Opens the channels that are configured. */
export function openChannels(configured: ConfiguredChannels, authorize: Authorize) {
  const opened = new Map<Channel, ChannelParts>();
  let createLink: CreateLink | undefined;
  for (const [channel, open] of configured) {
    const parts = open({ authorize, createLink });
    createLink ??= parts.createLink;
    opened.set(channel, parts);
  }
  const parts = [...opened.values()];
  return {
    createLink,
    plugins: parts.flatMap(({ plugin }) => plugin ?? []),
    subscribers: parts.flatMap(({ subscriber }) => subscriber ?? []),
    /** The handlers of the channels' own routes. */
    handlersFor: (flow: ApprovalFlow) =>
      new Map([...opened].flatMap(([channel, { handler }]) => (handler ? [[channel, handler(flow)]] : []))),
  };
}
