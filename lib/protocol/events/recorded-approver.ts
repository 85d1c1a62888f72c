/**
 * For the audit record: a person's role and session, and how the session was authenticated. `authenticatedAt`: ISO 8601,
 * exactly as it appears in the sealed entry.
 */
export type RecordedApprover = {
  role?: string;
  sessionId?: string;
  authenticatedAt?: string;
  authenticationMethods?: readonly string[];
};
