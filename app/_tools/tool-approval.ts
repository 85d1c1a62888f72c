/** The tools that need approval. All others run without a question, except `ask_for_dates`, which is one. */
export const toolApproval = {
  search_database: 'user-approval',
  update_database: 'user-approval',
  process_payment: 'user-approval',
  get_location: 'user-approval',
  release_version: 'user-approval',
  refund_order: 'user-approval',
  rotate_key: 'user-approval',
} as const;

/** The names of the tools that ask people. */
export const toolsThatAsk: readonly string[] = [...Object.keys(toolApproval), 'ask_for_dates'];
