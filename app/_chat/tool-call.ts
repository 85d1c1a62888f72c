export type { CallState, CallView } from 'countersign/react';
