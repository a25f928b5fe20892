import type { Platform } from '../platforms/contract/names.ts';

/** The service's own metrics with their units. Each costs money per month (and per platform), so keep the list short. */
export const metricUnits = {
  /** The time from a destination's due time until it went live. Not measured for posts without a scheduled time. */
  GoLiveLateness: 'Milliseconds',
  DestinationsPublished: 'Count',
  DestinationsFailed: 'Count',
  /** The number of times that a destination was put off, by reason: a destination that fails 20 times counts 20 times. */
  DestinationsPutOff: 'Count',
  /** 1 in each minute of an incident of a platform. */
  PlatformsInTrouble: 'Count',
  /** The lateness of the longest overdue destination that no worker has tried, if it is above a minute. */
  OverdueLateness: 'Milliseconds',
  /** The number of times that replies and messages of automations, and imports of files, were put off, by reason. */
  ActionsPutOff: 'Count',
  ImportsPutOff: 'Count',
  AccountsExpired: 'Count',
  /** The number of attempts, not of deliveries. */
  WebhooksDelivered: 'Count',
  WebhooksNotDelivered: 'Count',
  /** The number of requests to a platform's webhook URL that did not come from the platform or could not be read. */
  InboundRefused: 'Count',
} as const;

export type MetricName = keyof typeof metricUnits;

/** One measured value of one metric, with the platform if the metric is counted per platform. */
export interface Measurement {
  readonly name: MetricName;
  readonly value: number;
  readonly platform?: Platform;
  /** A code of a closed list, if the metric is counted by reason too. */
  readonly reason?: string;
}

/** Returns the CloudWatch namespace of a stage's metrics. */
export const metricNamespace = (stage: string): string => `Herald/${stage}`;

/**
 * The dimension that separates platforms. Every metric also has the dimension `service`; with that dimension alone, it
 * counts all platforms.
 */
export const platformDimension = 'platform';
/** The dimension that separates reasons, beside that of platforms. */
export const reasonDimension = 'reason';
export const serviceDimension = { service: 'herald' } as const;
