import type { Account } from '../../accounts/schemas.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { InboundDelivery, InboundEvent } from '../../platforms/contract/inbound.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import type { Table } from '../../table/table.ts';
import type { AutomationMessage } from '../schemas.ts';
import { ingestComment } from './ingest-comment.ts';
import { ingestMessage } from './ingest-message.ts';
import { accountsOf } from './store.ts';

export interface IngestPorts {
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
export interface IngestCounts {
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
export async function ingestDelivery(ports: IngestPorts, body: string): Promise<IngestCounts> {
  const delivery = ports.readDelivery(body);
  const events = delivery.events.filter(hasStorableIds);
  const unreadable = delivery.unreadable + delivery.events.length - events.length;
  const counts: IngestCounts = {
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
      events.slice(first, first + eventsAtOnce).map((event) => ingestEvent(ports, event, accounts, counts)),
    );
    failures.push(...outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])));
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} events were not taken`);
  return counts;
}

async function ingestEvent(
  ports: IngestPorts,
  event: InboundEvent,
  accountsOfId: (id: string) => Promise<readonly Account[]>,
  counts: IngestCounts,
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
        ? await ingestComment(table, account, event, now())
        : await ingestMessage(table, account, event, now());
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

function readAccountsOnce({ table, platform }: IngestPorts): (id: string) => Promise<readonly Account[]> {
  const found = new Map<string, Promise<readonly Account[]>>();
  return (id) => {
    const accounts = found.get(id) ?? accountsOf(table, platform, id);
    found.set(id, accounts);
    return accounts;
  };
}
