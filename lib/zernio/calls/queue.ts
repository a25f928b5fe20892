import { listAccountsOperation } from '../../accounts/operations.ts';
import { HeraldError } from '../../kernel/errors.ts';
import { readRhythmOperation } from '../../rhythm/operations.ts';
import {
  ok,
  requireProfile,
  wholeNumber,
  type ZernioCall,
  type ZernioPorts,
  type ZernioRequest,
} from '../call.ts';
import { listSharedSlotsOperation } from '../shared-slots.ts';

/*
 * Zernio's queue has slots that somebody enters. Herald's slots follow from the rhythms of the accounts, so the queue of a workspace
 * has the times at which a post to all of its accounts could go out.
 */

const queueName = 'Rhythm';

/** Returns the accounts of the queue and its next slots. */
async function queueOf(ports: ZernioPorts, { query }: ZernioRequest, count: number) {
  requireProfile(ports, query['profileId']);
  requireProfile(ports, query['queueId'], 'queueId');
  const { accounts } = await ports.call(listAccountsOperation, {});
  const [first] = accounts;
  if (!first) return { timezone: 'UTC', slots: [] };
  const accountIds = accounts.map(({ id }) => id).join(',');
  const [{ rhythm }, { slots }] = await Promise.all([
    ports.call(readRhythmOperation, { path: { id: first.id } }),
    ports.call(listSharedSlotsOperation, { query: { accountIds, count: String(count) } }),
  ]);
  return { timezone: rhythm.timezone, slots };
}

const operations = [listAccountsOperation, readRhythmOperation, listSharedSlotsOperation] as const;

const listSlots: ZernioCall = {
  name: 'listQueueSlots',
  route: 'GET /v1/queue/slots',
  operations,
  run: async (ports, request) => {
    const { workspaceId } = ports;
    const { timezone, slots } = await queueOf(ports, request, 10);
    const schedule = {
      _id: workspaceId,
      profileId: workspaceId,
      name: queueName,
      timezone,
      slots: [],
      active: true,
      isDefault: true,
    };
    if (request.query['all'] === 'true') return ok({ queues: [schedule], count: 1 });
    return ok({ exists: true, schedule, nextSlots: slots });
  },
};

const nextSlot: ZernioCall = {
  name: 'getNextQueueSlot',
  route: 'GET /v1/queue/next-slot',
  operations,
  run: async (ports, request) => {
    const { workspaceId } = ports;
    const { timezone, slots } = await queueOf(ports, request, 1);
    if (slots[0] === undefined)
      throw new HeraldError('not_found', 'there is no free slot within 90 days, or no account is connected');
    const queue = { profileId: workspaceId, queueId: workspaceId, queueName };
    return ok({ ...queue, nextSlot: slots[0], timezone });
  },
};

const preview: ZernioCall = {
  name: 'previewQueue',
  route: 'GET /v1/queue/preview',
  operations,
  run: async (ports, request) => {
    const { workspaceId } = ports;
    const count = wholeNumber(request, 'count', { least: 1, most: 100, fallback: 20 });
    const { slots } = await queueOf(ports, request, count);
    const queue = { profileId: workspaceId, queueId: workspaceId, queueName };
    return ok({ ...queue, count: slots.length, slots });
  },
};

const fromRhythm = (): never => {
  throw new HeraldError(
    'invalid',
    'slots follow from the rhythm of each account; set it with PUT /v1/accounts/{id}/rhythm',
  );
};

const slotWrites = [
  ['createQueueSlot', 'POST /v1/queue/slots'],
  ['updateQueueSlot', 'PUT /v1/queue/slots'],
  ['deleteQueueSlot', 'DELETE /v1/queue/slots'],
].map(([name = '', route = '']): ZernioCall => ({ name, route, operations: [], run: fromRhythm }));

export const queueCalls: readonly ZernioCall[] = [listSlots, nextSlot, preview, ...slotWrites];
