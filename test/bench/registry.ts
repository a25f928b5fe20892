import { automations } from './automations.ts';
import type { Bench } from './bench.ts';
import { bulk } from './bulk.ts';
import { coldStart } from './cold-start.ts';
import { lateness } from './lateness.ts';
import { memory } from './memory.ts';
import { panel } from './panel.ts';
import { publishCost } from './publish-cost.ts';
import { recovery } from './recovery.ts';
import { redirect } from './redirect.ts';
import { requests } from './requests.ts';
import { sameSecond } from './same-second.ts';
import { scale } from './scale.ts';
import { sweep } from './sweep.ts';
import { webhooks } from './webhooks.ts';

/** All benches, in the order in which they run. */
export const benches: readonly Bench[] = [
  coldStart,
  requests,
  bulk,
  redirect,
  memory,
  publishCost,
  lateness,
  sameSecond,
  scale,
  sweep,
  recovery,
  webhooks,
  automations,
  panel,
];
