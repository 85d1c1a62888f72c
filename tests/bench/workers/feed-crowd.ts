import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { crowdHeader } from '../support/crowd-header.ts';
import { offer } from '../support/worker-process.ts';

/** Feeds that are opened and then only read, parsing nothing. */
offer({
  /** @param users how many people share these feeds evenly */
  async open(url: string, feeds: number, users: number): Promise<void> {
    for (let index = 0; index < feeds; index += 1) {
      const headers = { [crowdHeader]: `crowd-${index % users}` };
      const request = get(`${url}/api/approvals/events`, { agent: false, headers });
      const [response]: IncomingMessage[] = await once(request, 'response');
      if (response?.statusCode !== 200) throw new Error(`A feed was refused with ${response?.statusCode}.`);
      response.resume();
    }
  },
});
