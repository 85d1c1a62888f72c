/** A small catalogue of invented music. `moods` is what a search by meaning compares. */
export const tracks = [
  track('trk-1', 'Harbour Lights', 'The Low Tides', 'alb-1', 2019, 'calm sea evening slow'),
  track('trk-2', 'Salt and Rope', 'The Low Tides', 'alb-1', 2019, 'sea work steady folk'),
  track('trk-3', 'Gulls at Noon', 'The Low Tides', 'alb-1', 2019, 'bright sea light folk'),
  track('trk-4', 'Night Bus', 'Ada Quill', 'alb-2', 2022, 'night city calm electronic'),
  track('trk-5', 'Neon Rain', 'Ada Quill', 'alb-2', 2022, 'night city rain slow electronic'),
  track('trk-6', 'First Train', 'Ada Quill', 'alb-2', 2022, 'morning city fast electronic'),
  track('trk-7', 'Run the Hill', 'Kestrel Five', 'alb-3', 2021, 'fast energetic running rock'),
  track('trk-8', 'Second Wind', 'Kestrel Five', 'alb-3', 2021, 'fast running bright rock'),
];

/** The tracks that have the most of these words among their moods, best first. */
export function similarTo(query) {
  const words = wordsOf(query);
  return tracks
    .map((each) => ({ each, score: words.filter((word) => wordsOf(each.moods).includes(word)).length }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ each }) => each);
}

/** The tracks whose title or artist contains this text. */
export function named(query) {
  const text = query.toLowerCase();
  return tracks.filter(({ title, artist }) => `${title} ${artist}`.toLowerCase().includes(text));
}

function wordsOf(text) {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}

function track(id, title, artist, albumId, year, moods) {
  return { id, title, artist, albumId, year, moods };
}
