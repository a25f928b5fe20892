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

/** A connected account whose tokens are due, as just read. */
export interface DueTokens {
  readonly account: Account;
  readonly tokensItem: Record<string, unknown>;
  readonly stored: StoredTokens;
}

interface DuePorts {
  readonly table: Table;
  readonly now: Clock;
  /** Receives items that cannot be parsed. The others are still returned. */
  readonly report: (message: string, error: unknown) => void;
}

/** One batch request reads two items for each account: its tokens and the account itself. */
const pageSize = batchGetLimit / 2;

/**
 * Yields a platform's accounts whose tokens are due, longest overdue first, each of them once. Another worker may renew
 * an account's tokens before the caller gets to it.
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

/** Reads the items of the index again by key, because the index is eventually consistent. */
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
