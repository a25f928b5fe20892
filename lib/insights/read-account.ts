import { getAccount } from '../accounts/read.ts';
import type { Context } from '../api-contract/context.ts';
import { dayMs } from '../kernel/clock.ts';
import type { StageFeatures } from '../platforms/contract/features.ts';
import { AccountNumber } from '../platforms/contract/insights.ts';
import { platformTitles } from '../platforms/contract/names.ts';
import { numbersOf } from '../platforms/registry/numbers.ts';
import { accountNumbersPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import { isExpired } from '../table/retention.ts';
import { AccountDayRow } from './account-days.ts';
import { kindOf, type Lack, numbersLack } from './lack.ts';
import { periodOf } from './period.ts';
import { type AccountMetrics, type AccountMetricsView, type Metric, MetricReason } from './schemas.ts';
import { dayOf } from './store.ts';

/**
 * Returns the numbers of an account, day by day: one query of at most 93 small items.
 *
 * @throws HeraldError `not_found` as `getAccount`; `range_empty` or `range_too_long`
 */
export async function readAccountMetrics(
  context: Context & { readonly stageFeatures: StageFeatures },
  accountId: string,
  query: { readonly from?: number | undefined; readonly to?: number | undefined },
): Promise<AccountMetricsView> {
  const { table, workspaceId, now, stageFeatures } = context;
  const { fromMs, toMs } = periodOf(query, now);
  const account = await getAccount(context, accountId);
  const { platform } = account;
  const as = kindOf(account);
  const lack = numbersLack(account, platform, stageFeatures) ?? notKept(platform, as);
  const days = daysOf(fromMs, toMs);
  const items = await queryAll(table, {
    partition: accountNumbersPartition(workspaceId, account.id),
    sort: { between: [days[0] ?? '', days.at(-1) ?? ''] },
    isEventual: true,
  });
  const rows = new Map(
    items.filter((item) => !isExpired(item, now)).map((item) => [item['sk'], AccountDayRow.parse(item)]),
  );
  const names = numbersOf(platform).ofAccount({ as });
  return {
    accountId: account.id,
    platform,
    reason: lack?.reason ?? null,
    message: lack?.message ?? null,
    days: days.map((day) => ({
      day,
      metrics: metricsOfDay(names, rows.get(day), lack?.reason ?? 'pending'),
    })),
  };
}

function notKept(platform: AccountMetricsView['platform'], as: ReturnType<typeof kindOf>): Lack | undefined {
  if (numbersOf(platform).keptDays({ as }) !== 0) return undefined;
  return {
    reason: 'not_kept',
    message: `${platformTitles[platform]} does not allow its numbers to be kept.`,
  };
}

/** Returns the days of a period, in UTC. */
function daysOf(fromMs: number, toMs: number): string[] {
  const first = Date.parse(dayOf(fromMs));
  return Array.from({ length: Math.ceil((toMs - first) / dayMs) }, (_, index) =>
    dayOf(first + index * dayMs),
  );
}

function metricsOfDay(
  names: Readonly<Partial<Record<AccountNumber, string>>>,
  row: AccountDayRow | undefined,
  missing: MetricReason,
): AccountMetrics {
  const entries = AccountNumber.options.map((name, index): [AccountNumber, Metric] => {
    const platformName = names[name] ?? null;
    if (platformName === null)
      return [name, { value: null, reason: 'not_offered', platformName, asOf: null }];
    const stored = row?.n?.[index];
    const asOf = row?.at ?? null;
    if (typeof stored === 'number') return [name, { value: stored, reason: null, platformName, asOf }];
    const reason =
      typeof stored === 'string' ? (MetricReason.safeParse(stored).data ?? 'unavailable') : missing;
    return [name, { value: null, reason, platformName, asOf }];
  });
  return Object.fromEntries(entries) as AccountMetrics;
}
