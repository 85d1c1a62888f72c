import type { Areas } from '../guard/choose.ts';
import type { PromiseMutant } from '../promise-mutant.ts';
import { cardMutants } from './card.ts';
import { channelMutants } from './channels.ts';
import { cliMutants } from './cli.ts';
import { clientMutants } from './client.ts';
import { commandsMutants } from './commands.ts';
import { dialectMutants } from './dialects.ts';
import { endingsMutants } from './endings.ts';
import { grantMutants } from './grants.ts';
import { identityMutants } from './identity.ts';
import { inboxMutants } from './inbox.ts';
import { linkMutants } from './links.ts';
import { logMutants } from './log.ts';
import { patternsMutants } from './patterns.ts';
import { peopleMutants } from './people.ts';
import { protocolMutants } from './protocol.ts';
import { rightsMutants } from './rights.ts';
import { runMutants } from './run.ts';
import { sealsMutants } from './seals.ts';
import { serverMutants } from './server.ts';
import { settingsMutants } from './settings.ts';
import { storeMutants } from './stores.ts';
import { subscriptionMutants } from './subscriptions.ts';
import { timingPromiseMutants } from './timing.ts';
import { transportMutants } from './transport.ts';
import { viewsMutants } from './views.ts';
import { webhookMutants } from './webhooks.ts';

/** All mutants of the guard, by area. */
export const areas: Areas = {
  card: cardMutants,
  channels: channelMutants,
  cli: cliMutants,
  client: clientMutants,
  commands: commandsMutants,
  dialects: dialectMutants,
  endings: endingsMutants,
  grants: grantMutants,
  identity: identityMutants,
  inbox: inboxMutants,
  links: linkMutants,
  log: logMutants,
  patterns: patternsMutants,
  people: peopleMutants,
  protocol: protocolMutants,
  rights: rightsMutants,
  run: runMutants,
  seals: sealsMutants,
  server: serverMutants,
  settings: settingsMutants,
  stores: storeMutants,
  subscriptions: subscriptionMutants,
  timing: timingPromiseMutants,
  transport: transportMutants,
  views: viewsMutants,
  webhooks: webhookMutants,
};

/** All mutants of the guard. */
export const promiseMutants: readonly PromiseMutant[] = Object.values(areas).flat();
