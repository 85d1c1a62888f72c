import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { launchBrowser } from '../browser/launch.ts';
import type { ClientTimes } from './page/client-bench.ts';
import { median } from './support/distribution.ts';
import { inTurns } from './support/in-turns.ts';
import { startWorker } from './support/worker-process.ts';

/** One row of the table: medians, in milliseconds, in a real browser. */
export type ClientCost = {
  readonly client: string;
  /** The final response with a result of 1 MB: from its last byte until it is shown. `NaN` on a socket. */
  readonly applyLarge: number;
  /** The same, from the person's yes on: network and server included. */
  readonly totalLarge: number;
  /** Of the final response of a chat with small results, as it streams. */
  readonly rendersFinal: number;
  /** Of an answer whose response is the next question. */
  readonly rendersToQuestion: number;
};

type Entrant = { readonly name: string; readonly page: Page; readonly rounds: Round[] };
type Round = { readonly toQuestion: ClientTimes; readonly final: ClientTimes; readonly large: ClientTimes };

/** What a page pays for an answer: `useChat` with our transports and predicates, and with the SDK's own. */
export async function clientCost(options: { readonly rounds: number }): Promise<ClientCost[]> {
  const script = await bundlePage();
  const ours = startWorker('workers/countersign-server.ts');
  const plain = startWorker('workers/plain-server.ts');
  const [onOurs, onPlain] = await Promise.all([ours.ask<string>('open'), plain.ask<string>('open')]);
  const browser = await launchBrowser();
  try {
    const entrants: Entrant[] = [];
    for (const [name, url, way] of [
      ['Countersign SSE', onOurs, 'sse'],
      ['Countersign BIDI', onOurs, 'bidi'],
      ['plain ai HTTP', onPlain, 'plain'],
    ] as const) {
      for (let round = 0; round <= options.rounds; round += 1) {
        entrants.push({ name, page: await openPage(browser, `${url}/bench#${way}`, script), rounds: [] });
      }
    }
    return await measureAll(entrants, options.rounds);
  } finally {
    await browser.close();
    await Promise.all([ours.stop(), plain.stop()]);
  }
}

async function measureAll(entrants: readonly Entrant[], rounds: number): Promise<ClientCost[]> {
  const names = [...new Set(entrants.map(({ name }) => name))];
  const measured = new Map<string, Round[]>(names.map((name) => [name, []]));
  // A page of its own each round: chats of one length.
  const pages = new Map(names.map((name) => [name, entrants.filter((each) => each.name === name)]));
  for (const name of inTurns(names, rounds + 1)) {
    const page = pages.get(name)?.pop()?.page;
    if (page) measured.get(name)?.push(await measurePage(page));
  }
  return names.map((name) => {
    const [, ...warm] = measured.get(name) ?? [];
    return {
      client: name,
      applyLarge: median(warm.map(({ large }) => large.apply)),
      totalLarge: median(warm.map(({ large }) => large.total)),
      rendersFinal: median(warm.map(({ final }) => final.renders)),
      rendersToQuestion: median(warm.map(({ toQuestion }) => toQuestion.renders)),
    };
  });
}

async function measurePage(page: Page): Promise<Round> {
  const id = crypto.randomUUID();
  const say = (words: string) => page.evaluate((text) => window.bench.say(text), words);
  const approve = (buffered: boolean) => page.evaluate((whole) => window.bench.approve(whole), buffered);
  await say(`chain ${id}`);
  const toQuestion = await approve(false);
  const final = await approve(false);
  await say(`large ${id}`);
  const large = await approve(true);
  await page.close();
  return { toQuestion, final, large };
}

/** The page comes from the test, everything else from the server that it asks. */
async function openPage(browser: Browser, url: string, script: string): Promise<Page> {
  const page = await browser.newPage();
  const html = `<!doctype html><title>Bench</title><body><script>${script.replaceAll('</script', '<\\/script')}</script>`;
  await page.route('**/bench', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto(url);
  await page.waitForFunction(() => 'bench' in window);
  return page;
}

async function bundlePage(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['countersign-source', 'browser', 'module', 'import', 'default'] },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      rolldownOptions: {
        input: new URL('./page/main.tsx', import.meta.url).pathname,
        output: { format: 'iife' },
      },
    },
  });
  const [output] = [built].flat().flatMap((result) => ('output' in result ? result.output : []));
  if (output?.type !== 'chunk') throw new Error('The page was not bundled.');
  return output.code;
}

declare global {
  interface Window {
    readonly bench: import('./page/client-bench.ts').ClientBench;
  }
}
