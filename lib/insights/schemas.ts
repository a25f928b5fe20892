import * as z from 'zod';
import { Timestamp } from '../api-contract/fields.ts';
import { AccountNumber, PostNumber } from '../platforms/contract/insights.ts';
import { Platform } from '../platforms/contract/names.ts';

/** The ages of a post at which its numbers are taken. */
export const Age = z.enum(['1h', '1d', '7d', '28d']).meta({ id: 'MetricsAge' });
export type Age = z.infer<typeof Age>;

/** Reasons for which a number is null. */
export const MetricReason = z
  .enum([
    'pending',
    'not_offered',
    'withheld',
    'not_permitted',
    'not_enabled',
    'account_inactive',
    'unavailable',
    'story_over',
    'removed',
    'not_kept',
  ])
  .meta({
    id: 'MetricReason',
    description:
      'Reason why a number is null. `pending`: not taken yet, or the platform has not reported it yet, which may take two days. `not_offered`: the platform has no such number for this kind of post or account. `withheld`: the platform does not show it, such as for few viewers. `not_permitted`: the account was connected without the feature `insights`: connect it again. `not_enabled`: the operator of the service has not enabled `insights` on the platform. `account_inactive`: the account must be connected again. `unavailable`: the platform did not answer when the number was due. `story_over`: the platform has numbers of a story for 24 hours only. `removed`: the post was deleted at the platform. `not_kept`: the platform’s terms do not allow the number to be kept any longer, or it is from before the account was last disconnected. More reasons may be added',
  });
export type MetricReason = z.infer<typeof MetricReason>;

/** One number, as the API shows it. */
export const Metric = z
  .object({
    value: z.int().nullable(),
    reason: MetricReason.nullable().meta({ description: 'Null exactly if `value` is not' }),
    platformName: z
      .string()
      .nullable()
      .meta({ description: 'The platform’s own name of the number; null if it has none' }),
    asOf: Timestamp.nullable().meta({
      description: 'When the platform was asked; null if it was not',
    }),
  })
  .meta({ id: 'Metric' });
export type Metric = z.infer<typeof Metric>;

const metricsOf = <Name extends string>(names: readonly Name[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, Metric])) as Record<Name, typeof Metric>);

export const PostMetrics = metricsOf(PostNumber.options).meta({
  id: 'PostMetrics',
  description: 'Totals since the post went live',
});
export type PostMetrics = z.infer<typeof PostMetrics>;

export const AccountMetrics = metricsOf(AccountNumber.options).meta({
  id: 'AccountMetrics',
  description: '`followers` is a total at the end of the day, or now; the others are of the day alone',
});
export type AccountMetrics = z.infer<typeof AccountMetrics>;

const identity = {
  accountId: z.uuid(),
  platform: Platform,
  platformPostId: z.string().nullable().meta({ description: 'Null until the destination is live' }),
  publishedAt: Timestamp.nullable().meta({ description: 'When it went live; null until then' }),
  removedAt: Timestamp.nullable().meta({
    description:
      'When the service found, or was told, that the post no longer exists at the platform. Its last numbers stay',
  }),
};

export const MetricsSnapshot = z
  .object({
    age: Age.meta({
      description: 'The age of the post. The numbers of a story at `1d` are taken after 23 hours',
    }),
    dueAt: Timestamp,
    metrics: PostMetrics,
  })
  .meta({ id: 'MetricsSnapshot' });
export type MetricsSnapshot = z.infer<typeof MetricsSnapshot>;

/** The numbers of one destination of a post. */
export const TargetMetrics = z
  .object({
    ...identity,
    reason: MetricReason.nullable().meta({
      description: 'Reason why there are no numbers at all; null if there are some',
    }),
    message: z.string().nullable().meta({
      description: 'The same in words, with what helps; null exactly if `reason` is null',
    }),
    asOf: Timestamp.nullable().meta({ description: 'When the latest numbers were taken' }),
    freshFrom: Timestamp.nullable().meta({
      description:
        'When `fresh=true` asks the platform again, if that is later than now; null if it can be asked now, or never',
    }),
    /** The latest numbers. */
    metrics: PostMetrics,
    snapshots: z.array(MetricsSnapshot).meta({
      description: 'The numbers at each of the four ages, in order. Empty until the destination is live',
    }),
  })
  .meta({ id: 'TargetMetrics' });
export type TargetMetrics = z.infer<typeof TargetMetrics>;

export const PostMetricsView = z
  .object({
    postId: z.uuid(),
    targets: z.array(TargetMetrics).meta({ description: 'In the order of the post’s `platforms`' }),
  })
  .meta({ id: 'MetricsOfPost' });
export type PostMetricsView = z.infer<typeof PostMetricsView>;

/** A destination that went live, in lists. */
export const ListedMetrics = z
  .object({
    postId: z.uuid(),
    ...identity,
    platformPostId: z.string(),
    publishedAt: Timestamp,
    permalink: z.string().nullable(),
    content: z.string().nullable().meta({
      description: 'The beginning of the post’s text; null if the post is no longer kept',
    }),
    tags: z.array(z.string()).meta({ description: 'Names of the post’s tags' }),
    asOf: Timestamp.nullable().meta({ description: 'When the latest numbers were taken' }),
    metrics: PostMetrics,
  })
  .meta({ id: 'ListedMetrics' });
export type ListedMetrics = z.infer<typeof ListedMetrics>;

export const AccountDay = z
  .object({
    day: z.iso.date().meta({
      description: 'As the platform divides time into days; see the platform’s page for its zone',
    }),
    metrics: AccountMetrics,
  })
  .meta({ id: 'AccountMetricsDay' });
export type AccountDay = z.infer<typeof AccountDay>;

export const AccountMetricsView = z
  .object({
    accountId: z.uuid(),
    platform: Platform,
    reason: MetricReason.nullable().meta({
      description: 'Reason why no numbers are read for this account; null if they are',
    }),
    message: z.string().nullable().meta({
      description: 'The same in words, with what helps; null exactly if `reason` is null',
    }),
    days: z.array(AccountDay).meta({
      description: 'Every day of the period, oldest first. A day that was not read has nulls',
    }),
  })
  .meta({ id: 'MetricsOfAccount' });
export type AccountMetricsView = z.infer<typeof AccountMetricsView>;
