export { type QuestionVotes, type ToolVotes, votes } from './votes.ts';
