/** The key of the Worker's audit record, with which Node checks the seals. */
export const auditKey = 'a key of the audit record';
