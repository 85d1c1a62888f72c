import { insights } from 'countersign/plugins/insights';

/** What the app adds to the kernel. */
export const plugins = [insights()] as const;
