import { countFlow, storedBytesPerFlow } from '../support/count-flow.ts';
import { countQueries } from '../support/count-queries.ts';
import { offer } from '../support/worker-process.ts';

/** What can be counted instead of timed. It counts by what it puts in front of the drivers. */
offer({ countFlow, storedBytesPerFlow, postgresQueries: countQueries });
