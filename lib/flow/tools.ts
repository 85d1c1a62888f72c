import type { Engine } from '../run/engine.ts';
import { listTools } from '../views/tool-listing.ts';
import type { Tools } from './methods/tools.ts';

export function createTools({ settings, pauses }: Engine): Tools {
  return {
    list: () => listTools(settings),
    pause: (request) => pauses.pause(request),
    unpause: (request) => pauses.unpause(request),
    async pauses() {
      await pauses.refresh();
      return pauses.all();
    },
  };
}
