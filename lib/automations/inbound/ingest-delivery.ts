import type { Account } from '../../accounts/schemas.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { InboundDelivery, InboundEvent } from '../../platforms/contract/inbound.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import type { Table } from '../../table/table.ts';
import type { AutomationMessage } from '../schemas.ts';
import { takeComment } from './ingest-comment.ts';
import { takeMessage } from './ingest-message.ts';
import { accountsOf } from './store.ts';

export interface TakePorts {
  readonly table: Table;
  readonly now: Clock;
  readonly platform: Platform;
  readonly readDelivery: (body: string) => InboundDelivery;
  /** Whether the account itself did it. */
  readonly isOwn: (event: InboundEvent, account: Account) => boolean;
  /** @returns those that the queue did not take */
  readonly sendAll: (messages: readonly AutomationMessage[]) => Promise<ReadonlySet<AutomationMessage>>;
}

/** What became of a delivery, for the log. */
export interface TakenCounts {
  /** Events that were new to an account. */
  taken: number;
  repeated: number;
  /** The account's own. */
  own: number;
  /** For accounts that nobody has connected. */
  unknownAccount: number;
  /** What could not be understood. */
  unreadable: number;
  /** Actions that were set off. */
  actions: number;
}

const eventsAtOnce = 10;

/**
 * Takes what a platform has sent: each event once for every workspace that has the account connected. What nobody can
 * use is counted and left. Actions whose message is not sent are found by the sweep.
 *
 * @param body a delivery whose signature was verified
 * @throws where an event could not be stored now; the others are, and are found to be there when the body comes again
 */
export async function takeInbound(ports: TakePorts, body: string): Promise<TakenCounts> {
  const delivery = ports.readDelivery(body);
  const events = delivery.events.filter(hasStorableIds);
  const unreadable = delivery.unreadable + delivery.events.length - events.length;
  const counts: TakenCounts = {
    taken: 0,
    repeated: 0,
    own: 0,
    unknownAccount: 0,
    unreadable,
    actions: 0,
  };
  const accounts = readAccountsOnce(ports);
  const failures: unknown[] = [];
  for (let first = 0; first < events.length; first += eventsAtOnce) {
    const outcomes = await Promise.allSettled(
      events.slice(first, first + eventsAtOnce).map((event) => takeEvent(ports, event, accounts, counts)),
    );
    failures.push(...outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])));
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} events were not taken`);
  return counts;
}

async function takeEvent(
  ports: TakePorts,
  event: InboundEvent,
  accountsOfId: (id: string) => Promise<readonly Account[]>,
  counts: TakenCounts,
): Promise<void> {
  const accounts = await accountsOfId(event.accountPlatformId);
  if (accounts.length === 0) counts.unknownAccount += 1;
  const { table, now } = ports;
  for (const account of accounts) {
    if (ports.isOwn(event, account)) {
      counts.own += 1;
      continue;
    }
    const taken =
      event.kind === 'comment'
        ? await takeComment(table, account, event, now())
        : await takeMessage(table, account, event, now());
    counts[taken.state === 'new' ? 'taken' : 'repeated'] += 1;
    const messages = taken.state === 'new' ? taken.messages : [];
    counts.actions += messages.length;
    if (messages.length > 0) await ports.sendAll(messages);
  }
}

/** Keys hold at most 1,024 bytes, with what stands before the id. */
const mostIdBytes = 900;

function hasStorableIds(event: InboundEvent): boolean {
  const ids = Object.entries(event).filter(([name]) => name.endsWith('Id'));
  return ids.every(([, id]) => Buffer.byteLength(String(id)) <= mostIdBytes);
}

function readAccountsOnce({ table, platform }: TakePorts): (id: string) => Promise<readonly Account[]> {
  const found = new Map<string, Promise<readonly Account[]>>();
  return (id) => {
    const accounts = found.get(id) ?? accountsOf(table, platform, id);
    found.set(id, accounts);
    return accounts;
  };
}
