import type { Platform } from '../platforms/contract/names.ts';

/** What the service measures of itself, with its unit. Each is a metric that is paid for by the month: name few. */
export const metricUnits = {
  /** Between the moment a destination was due and the moment it went live. Of those without a time of their own: none. */
  GoLiveLateness: 'Milliseconds',
  DestinationsPublished: 'Count',
  DestinationsFailed: 'Count',
  AccountsExpired: 'Count',
  /** Attempts, not deliveries. */
  WebhooksDelivered: 'Count',
  WebhooksNotDelivered: 'Count',
  /** What came to a platform's webhook address and was not the platform's, or could not be read. */
  InboundRefused: 'Count',
} as const;

export type MetricName = keyof typeof metricUnits;

/** One reading of one metric, of a platform where the metric tells them apart. */
export interface Measurement {
  readonly name: MetricName;
  readonly value: number;
  readonly platform?: Platform;
}

/** Where a stage's metrics are found. */
export const metricNamespace = (stage: string): string => `Herald/${stage}`;

/** The dimension by which a metric tells platforms apart; each metric has `service` beside it. */
export const platformDimension = 'platform';
export const serviceDimension = { service: 'herald' } as const;
