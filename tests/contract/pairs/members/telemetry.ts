import { telemetry } from 'countersign/plugins/telemetry';
import { recordTelemetry } from '../../../support/record-telemetry.ts';
import { addPlugin } from '../add-plugin.ts';
import { proves } from '../proofs.ts';
import type { Member } from '../stage.ts';

export const member: Member = (setup) => {
  const recorded = recordTelemetry();
  addPlugin(setup, telemetry());
  proves(setup, 'telemetry', () => recorded.spans().length > 0);
};
