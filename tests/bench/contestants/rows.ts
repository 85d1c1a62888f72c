import type { ContestantRow } from '../support/contestant.ts';

/** Everybody that is measured, each opened in a process of its own. */
export const contestants: readonly ContestantRow[] = [
  {
    name: 'Countersign, SQLite',
    saves: 'WAL, synchronous=FULL',
    module: 'contestants/countersign.ts',
    open: 'openOnSqlite',
    usesPostgres: false,
  },
  {
    name: 'plain ai, SQLite',
    saves: 'WAL, synchronous=FULL; the chat, once a response',
    module: 'contestants/plain-ai.ts',
    open: 'openPlainAi',
    usesPostgres: false,
  },
  {
    name: 'OpenAI Agents, SQLite',
    saves: 'WAL, synchronous=FULL; the run state, once a response',
    module: 'peers/openai-agents.mjs',
    open: 'openAgents',
    usesPostgres: false,
  },
  {
    name: 'LangGraph, SQLite FULL',
    saves: 'its checkpointer, WAL, synchronous=FULL',
    module: 'peers/langgraph.mjs',
    open: 'openOnSqliteFull',
    usesPostgres: false,
  },
  {
    name: 'LangGraph, SQLite as shipped',
    saves: 'its checkpointer, WAL, synchronous=NORMAL: a commit is not an fsync',
    module: 'peers/langgraph.mjs',
    open: 'openOnSqliteNormal',
    usesPostgres: false,
  },
  {
    name: 'Countersign, Postgres',
    saves: 'fsync and synchronous_commit on',
    module: 'contestants/countersign.ts',
    open: 'openOnPostgres',
    usesPostgres: true,
  },
  {
    name: 'LangGraph, Postgres',
    saves: 'its checkpointer, fsync and synchronous_commit on',
    module: 'peers/langgraph.mjs',
    open: 'openOnPostgres',
    usesPostgres: true,
  },
  {
    name: 'floor: bare steps and commits, SQLite',
    saves: 'as many writes of as many bytes as ours, in shared commits; WAL, synchronous=FULL',
    module: 'contestants/floor.ts',
    open: 'openBareOnSqlite',
    usesPostgres: false,
    isFloor: true,
  },
  {
    name: 'floor: bare steps and commits, Postgres',
    saves: 'as many commits of as many bytes as ours',
    module: 'contestants/floor.ts',
    open: 'openBareOnPostgres',
    usesPostgres: true,
    isFloor: true,
  },
];
