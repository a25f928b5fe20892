/** Runs the engines in a separate process, so that a test can kill it: `run-engines.ts <data directory>`. */

import { createMovableClock } from '../../clock.ts';
import { startEngines } from '../../engines/start.ts';
import { administratorPolicies } from '../../engines/types.ts';
import { accountId, smallModel } from '../../testing/cloud.ts';

const administrator = {
  accessKeyId: 'administrator',
  secretAccessKey: 'secret of administrator',
  principalArn: `arn:aws:iam::${accountId}:user/administrator`,
  policies: administratorPolicies,
};

const engines = await startEngines({
  model: smallModel,
  dataDirectory: process.argv[2] ?? '',
  clock: createMovableClock(),
  jitter: 'none',
  identities: { find: () => administrator },
});
process.send?.({ endpointUrl: engines.endpointUrl });
