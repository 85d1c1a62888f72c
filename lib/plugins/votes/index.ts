export { votesLines } from './client/lines.ts';
export type { QuestionVotes } from './client/question-votes.ts';
export type { VotesFacts, VotesWords } from './client/words.ts';
export { type ToolVotes, votes } from './votes.ts';
