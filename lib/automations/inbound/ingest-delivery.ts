import type { Account } from '../../accounts/schemas.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { InboundDelivery, InboundEvent } from '../../platforms/contract/inbound.ts';
import type { MessagingLimits } from '../../platforms/contract/messaging.ts';
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
  readonly limits: Pick<MessagingLimits, 'windowHours'>;
  readonly readDelivery: (body: string) => InboundDelivery;
  /** Returns true if the account itself caused the event. */
  readonly isOwn: (event: InboundEvent, account: Account) => boolean;
  /** @returns the messages that the queue did not accept */
  readonly sendAll: (messages: readonly AutomationMessage[]) => Promise<ReadonlySet<AutomationMessage>>;
}

/** The result of a delivery, for the log. */
export interface IngestCounts {
  /** Events that were new to an account. */
  taken: number;
  repeated: number;
  /** Events that the account itself caused. */
  own: number;
  /** Events for accounts that nobody has connected. */
  unknownAccount: number;
  /** Parts that could not be understood, and events whose ids are too long to store. */
  unreadable: number;
  /** Actions that were triggered. */
  actions: number;
}

const concurrency = 10;

/**
 * Ingests a platform's delivery: each event once for every workspace that has connected the account. Events for accounts that
 * nobody has connected are only counted. If an action's message cannot be sent, the sweep finds the action.
 *
 * @param body a delivery with a verified signature
 * @throws AggregateError if an event could not be stored; a redelivery of the body skips the events that were
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
  for (let first = 0; first < events.length; first += concurrency) {
    const outcomes = await Promise.allSettled(
      events.slice(first, first + concurrency).map((event) => ingestEvent(ports, event, accounts, counts)),
    );
    failures.push(...outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])));
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} events were not stored`);
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
  const { table, now, limits } = ports;
  for (const account of accounts) {
    if (ports.isOwn(event, account)) {
      counts.own += 1;
      continue;
    }
    const taken =
      event.kind === 'comment'
        ? await ingestComment(table, account, event, { now: now(), ...limits })
        : await ingestMessage(table, account, event, now());
    counts[taken.state === 'new' ? 'taken' : 'repeated'] += 1;
    const messages = taken.state === 'new' ? taken.messages : [];
    counts.actions += messages.length;
    if (messages.length > 0) await ports.sendAll(messages);
  }
}

/** The maximum length of an id. DynamoDB limits a sort key to 1,024 bytes, which include the prefix of the id. */
const maxIdBytes = 900;

function hasStorableIds(event: InboundEvent): boolean {
  const ids = Object.entries(event).filter(([name]) => name.endsWith('Id'));
  return ids.every(([, id]) => Buffer.byteLength(String(id)) <= maxIdBytes);
}

function readAccountsOnce({ table, platform }: IngestPorts): (id: string) => Promise<readonly Account[]> {
  const found = new Map<string, Promise<readonly Account[]>>();
  return (id) => {
    const accounts = found.get(id) ?? accountsOf(table, platform, id);
    found.set(id, accounts);
    return accounts;
  };
}
