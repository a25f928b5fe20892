import { dayMs, minuteMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { platformTitles } from '../platforms/contract/names.ts';
import { absent } from '../table/condition.ts';
import { getItem, putItem } from '../table/items.ts';
import { watchKey } from '../table/keys.ts';
import { readableItems } from '../table/readable.ts';
import type { Table } from '../table/table.ts';
import { nothingWatched } from './judge.ts';
import { type Incident, Watch } from './schemas.ts';

/** Reads the notes of the last sweep. They may be about a second old. */
export async function readWatch(table: Table): Promise<Watch> {
  const item = await readNotes(table);
  return item === undefined ? nothingWatched : Watch.parse(item);
}

const readNotes = (table: Table) => getItem(table, watchKey, { isEventual: true });

/** The time for which the item is kept once no sweep writes it. */
const keptMs = dayMs;

/** Stores the notes of a sweep, unless another one has written since they were read. */
export async function storeWatch(table: Table, before: Watch, after: Watch): Promise<void> {
  const expiresAtSeconds = Math.ceil((Date.parse(after.checkedAt) + keptMs) / secondMs);
  const item = { ...watchKey, kind: 'watch', ...after, expiresAtSeconds };
  await putItem(table, item, { checkedAt: before === nothingWatched ? absent : before.checkedAt });
}

/** The time after which notes say nothing about the present: while there is an incident, each sweep writes them. */
const currentMs = 5 * minuteMs;

/** An incident as customers see it. */
export interface ToldIncident extends Pick<Incident, 'platform' | 'since'> {
  readonly message: string;
}

/**
 * Returns the outages that customers are told of: posts of others are late too. A single late destination is none of their business.
 * Notes that cannot be read, because a later release wrote them, hide nothing else of a workspace: it is told of none.
 *
 * @param now epoch milliseconds
 */
export async function toldIncidents(table: Table, now: number): Promise<ToldIncident[]> {
  const item = await readNotes(table);
  const [watch = nothingWatched] = readableItems(table, item ? [item] : [], (each) => Watch.parse(each));
  const { checkedAt, incidents } = watch;
  if (checkedAt < toTimestamp(now - currentMs)) return [];
  return incidents.flatMap(({ kind, platform, since }) =>
    kind === 'outage' ? [{ platform, since, message: messageOf({ platform, since }) }] : [],
  );
}

const messageOf = ({ platform, since }: Pick<Incident, 'platform' | 'since'>): string =>
  `${platformTitles[platform]} has had trouble since ${since.slice(11, 16)} UTC, so posts to it go live late. Herald keeps trying: there is nothing for you to do.`;
