import { automations } from './automations.ts';
import type { Bench } from './bench.ts';
import { bulk } from './bulk.ts';
import { coldStart } from './cold-start.ts';
import { createLoad } from './create-load.ts';
import { erasure } from './erasure.ts';
import { idleCost } from './idle-cost.ts';
import { lateness } from './lateness.ts';
import { memory } from './memory.ts';
import { panel } from './panel.ts';
import { publishCost } from './publish-cost.ts';
import { recovery } from './recovery.ts';
import { redirect } from './redirect.ts';
import { relay } from './relay.ts';
import { renditions } from './renditions.ts';
import { requests } from './requests.ts';
import { restore } from './restore.ts';
import { sameSecond } from './same-second.ts';
import { scale } from './scale.ts';
import { schedulerOutage } from './scheduler-outage.ts';
import { search } from './search.ts';
import { sweep } from './sweep.ts';
import { webhooks } from './webhooks.ts';
import { workerMemory } from './worker-memory.ts';

/** All benches, in the order in which they run. */
export const benches: readonly Bench[] = [
  coldStart,
  requests,
  bulk,
  createLoad,
  search,
  redirect,
  memory,
  renditions,
  publishCost,
  idleCost,
  lateness,
  relay,
  sameSecond,
  workerMemory,
  scale,
  sweep,
  schedulerOutage,
  recovery,
  restore,
  erasure,
  webhooks,
  automations,
  panel,
];
