import { openai } from '@ai-sdk/openai';
import { scriptedModel } from 'countersign/testing';

/** The model of OpenAI with a key; without one, a few rules that call the tools, so that the example runs anywhere. */
export function chooseModel(environment = process.env) {
  if (environment.OPENAI_API_KEY) return openai(environment.OPENAI_MODEL ?? 'gpt-5-mini');
  return scriptedModel(({ prompt }) => {
    const last = prompt.at(-1);
    if (last.role === 'tool') return [{ text: 'This is what the catalogue has.' }];
    const said = last.content.map(({ text = '' }) => text).join('');
    return [{ text: 'Let me look. ' }, callFor(said)];
  });
}

/** `tracks trk-1 trk-9`, `album alb-2`, `by The Low Tides`; anything else is a search by mood. */
function callFor(said) {
  const ids = said.match(/\btrk-\d+\b/g);
  if (ids) return { call: 'batchMetadata', input: { ids } };
  const album = /\balb-\d+\b/.exec(said)?.[0];
  if (album) return { call: 'albumTracks', input: { albumId: album } };
  const name = /^by (.*)$/i.exec(said)?.[1];
  if (name !== undefined) return { call: 'tidalSearch', input: { query: name, limit: 5 } };
  return { call: 'semanticSearch', input: { query: said, limit: 5 } };
}
