/**
 * Builds a bucket's notifications in S3's format. Pure.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
 */

import type { BucketResource } from '../../model.ts';
import type { ObjectEvent } from '../types.ts';

export interface ObjectChange {
  /** The event's name without `s3:`, such as `ObjectCreated:Put`. */
  readonly eventName: string;
  readonly bucketName: string;
  readonly key: string;
  readonly atMs: number;
  readonly sequence: number;
  /** Created objects only. */
  readonly size?: number;
  readonly etag?: string;
}

/** Returns the destinations that a bucket's configuration names for a change. */
export function destinationsOf(bucket: BucketResource, eventName: string, key: string): string[] {
  return bucket.notifications
    .filter(({ events }) => events.some((pattern) => coversEvent(pattern, eventName)))
    .filter(({ prefix = '', suffix = '' }) => key.startsWith(prefix) && key.endsWith(suffix))
    .map(({ destinationArn }) => destinationArn);
}

/** `s3:ObjectCreated:*` covers `ObjectCreated:Put`. */
function coversEvent(pattern: string, eventName: string): boolean {
  const name = pattern.replace(/^s3:/, '');
  return name.endsWith('*') ? eventName.startsWith(name.slice(0, -1)) : name === eventName;
}

export function notificationOf(
  change: ObjectChange,
  bucket: BucketResource,
  place: { region: string; accountId: string },
): ObjectEvent['notification'] {
  return {
    Records: [
      {
        eventVersion: '2.1',
        eventSource: 'aws:s3',
        awsRegion: place.region,
        eventTime: new Date(change.atMs).toISOString(),
        eventName: change.eventName,
        userIdentity: { principalId: `AWS:${place.accountId}` },
        requestParameters: { sourceIPAddress: '127.0.0.1' },
        responseElements: {
          'x-amz-request-id': sequencer(change.sequence),
          'x-amz-id-2': sequencer(change.sequence),
        },
        s3: {
          s3SchemaVersion: '1.0',
          configurationId: `${bucket.name}-notifications`,
          bucket: { name: bucket.name, ownerIdentity: { principalId: place.accountId }, arn: bucket.arn },
          object: {
            key: encodedKey(change.key),
            ...(change.size !== undefined && { size: change.size, eTag: change.etag }),
            sequencer: sequencer(change.sequence),
          },
        },
      },
    ],
  };
}

/** Returns the event that S3 sends once to each newly configured queue. It has no `Records`. */
export function testEvent(bucketName: string, atMs: number) {
  return {
    Service: 'Amazon S3',
    Event: 's3:TestEvent',
    Time: new Date(atMs).toISOString(),
    Bucket: bucketName,
    RequestId: 'LOCAL',
    HostId: 'LOCAL',
  };
}

/** Encodes a key like an HTML form: a space becomes `+`, a plus `%2B`. Slashes stay. */
function encodedKey(key: string): string {
  return new URLSearchParams([['', key]]).toString().slice(1).replaceAll('%2F', '/');
}

/** Returns a sequencer. All have the same length, because consumers compare them as text. */
function sequencer(sequence: number): string {
  return sequence.toString(16).toUpperCase().padStart(18, '0');
}
