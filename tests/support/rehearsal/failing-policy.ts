export default function toolApproval(): never {
  throw new Error('No database.');
}
