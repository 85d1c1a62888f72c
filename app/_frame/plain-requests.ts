/** @see RequestsAfterError */
export { PlainRequests as default } from 'countersign/react';
