import { type Clock, toTimestamp } from '../../kernel/clock.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import { batchGet, batchGetLimit } from '../../table/batch-get.ts';
import { accountKey, accountOfTokens, type Key, renewalShard } from '../../table/keys.ts';
import { queryPages } from '../../table/query.ts';
import { indexes } from '../../table/schema.ts';
import type { Table } from '../../table/table.ts';
import type { Account } from '../schemas.ts';
import { accountFromItem } from '../store.ts';
import { StoredTokens } from './store.ts';

/** A connected account whose tokens are due, as it was just read. */
export interface DueTokens {
  readonly account: Account;
  readonly tokensItem: Record<string, unknown>;
  readonly stored: StoredTokens;
}

interface DuePorts {
  readonly table: Table;
  readonly now: Clock;
  /** Told of an item that cannot be read; it holds up no other. */
  readonly report: (message: string, error: unknown) => void;
}

/** For each of them the tokens and the account are read, in one request. */
const pageSize = batchGetLimit / 2;

/**
 * A platform's accounts whose tokens are due, the longest due first. Each is given once, and may be another worker's
 * by the time it is taken up.
 */
export async function* dueTokens(ports: DuePorts, platform: Platform): AsyncGenerator<DueTokens> {
  const { table } = ports;
  const dueBy = toTimestamp(ports.now());
  const due = queryPages(table, {
    index: indexes.overdue,
    partition: renewalShard(platform),
    sort: { atMost: dueBy },
    limit: pageSize,
  });
  for await (const page of due) yield* await readDue(ports, page as unknown as Key[], dueBy);
}

/** The index may be behind: what it names is read again by key before anything is done. */
async function readDue(
  { table, report }: DuePorts,
  tokensKeys: readonly Key[],
  dueBy: string,
): Promise<DueTokens[]> {
  const pairs = tokensKeys.map((tokens) => {
    const { workspaceId, id } = accountOfTokens(tokens);
    return { tokens, account: accountKey(workspaceId, id) };
  });
  const found = await batchGet(
    table,
    pairs.flatMap(({ tokens, account }) => [tokens, account]),
  );
  return pairs.flatMap((keys) => {
    const tokensItem = found.get(keys.tokens);
    const accountItem = found.get(keys.account);
    if (!tokensItem || !accountItem) return [];
    try {
      const stored = StoredTokens.parse(tokensItem);
      const isDue = stored.dueAt !== undefined && stored.dueAt <= dueBy;
      return isDue ? [{ account: accountFromItem(accountItem), tokensItem, stored }] : [];
    } catch (error) {
      report(`${keys.tokens.sk}: the item cannot be read`, error);
      return [];
    }
  });
}
