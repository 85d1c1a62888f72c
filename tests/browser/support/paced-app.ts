import { serveResponses } from '../../support/openai-server.ts';
import { serveApp } from './serve-app.ts';

/** Two texts, each of two pieces of the same length. */
export const saying = {
  first: 'The model begins',
  second: ' with this text.',
  third: 'The next text ends',
  last: ' with these words.',
};

/** An app whose model continues when the test lets it. */
export type PacedApp = {
  readonly url: string;
  /** Lets each response have this many pieces of text, until the next call. */
  readonly letPass: (pieces: number) => void;
  readonly stop: () => Promise<void>;
};

/** Serves the app with a model that multiplies on request, and otherwise answers with {@link saying}. */
export async function servePacedApp(): Promise<PacedApp> {
  let passing = Number.POSITIVE_INFINITY;
  const waiting = new Set<() => void>();
  const model = await serveResponses(
    ({ input }, number) =>
      /multiply/.test(JSON.stringify(input.at(-1)))
        ? [{ text: '5 times 4 is 20.', id: `msg_${number}` }]
        : [
            { text: saying.first + saying.second, id: `msg_${number}a` },
            { text: saying.third + saying.last, id: `msg_${number}b` },
          ],
    async (piece) => {
      while (piece >= passing) await new Promise<void>((resolve) => waiting.add(resolve));
    },
  );
  const app = await serveApp({ OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: model.url });
  return {
    url: app.url,
    letPass: (pieces) => {
      passing = pieces;
      for (const resume of waiting) resume();
      waiting.clear();
    },
    stop: async () => {
      await app.stop();
      await model.close();
    },
  };
}
