/** Reads buckets with their policies and notifications, and the files that CDK's bucket deployments put into them. */
import { globSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import * as z from 'zod';
import type { BucketResource, PolicyDocument, UploadedFile } from '../model.ts';
import { count, policyDocument, readProperties } from './read-properties.ts';
import type { Resources } from './stacks.ts';

const names = z.array(z.string()).default([]);
const keyRules = z.array(z.object({ Name: z.string(), Value: z.string() }));

/** A notification in the bucket resource itself, with CloudFormation's names. */
const ownNotification = z
  .object({
    Event: z.string(),
    Queue: z.string().optional(),
    Function: z.string().optional(),
    Filter: z.object({ S3Key: z.object({ Rules: keyRules }) }).optional(),
  })
  .transform((row) => toNotification([row.Event], row.Filter?.S3Key.Rules ?? [], row.Queue ?? row.Function));
const ownNotifications = z
  .object({
    QueueConfigurations: z.array(ownNotification).default([]),
    LambdaConfigurations: z.array(ownNotification).default([]),
  })
  .optional();

/** A notification in CDK's custom resource, which uses the S3 API's names. */
const putNotification = z
  .object({
    Events: names,
    QueueArn: z.string().optional(),
    LambdaFunctionArn: z.string().optional(),
    Filter: z.object({ Key: z.object({ FilterRules: keyRules }) }).optional(),
  })
  .transform(({ Events, QueueArn, LambdaFunctionArn, Filter }) =>
    toNotification(Events, Filter?.Key.FilterRules ?? [], QueueArn ?? LambdaFunctionArn),
  );
const putNotifications = z.object({
  BucketName: z.string(),
  NotificationConfiguration: z.object({
    QueueConfigurations: z.array(putNotification).default([]),
    LambdaFunctionConfigurations: z.array(putNotification).default([]),
  }),
});

const bucketProperties = z.object({
  CorsConfiguration: z
    .object({
      CorsRules: z.array(
        z.object({
          AllowedOrigins: names,
          AllowedMethods: names,
          AllowedHeaders: names,
          ExposedHeaders: names,
          MaxAge: count.optional(),
        }),
      ),
    })
    .optional(),
  NotificationConfiguration: ownNotifications,
});
const bucketPolicy = z.object({ Bucket: z.string(), PolicyDocument: policyDocument });

/** Reads every bucket with its CORS rules, policy and notifications. @throws Error for an invalid property. */
export function readBuckets(resources: Resources): readonly BucketResource[] {
  const policies = resources
    .ofType('AWS::S3::BucketPolicy')
    .map((resource) => readProperties(resource, bucketPolicy));
  const put = resources
    .ofType('Custom::S3BucketNotifications')
    .map((resource) => readProperties(resource, putNotifications));
  return resources.ofType('AWS::S3::Bucket').map((resource) => {
    const { CorsConfiguration, NotificationConfiguration } = readProperties(resource, bucketProperties);
    const policy = policies.find(({ Bucket }) => Bucket === resource.ref)?.PolicyDocument;
    const putByDeployment = put.find(
      ({ BucketName }) => BucketName === resource.ref,
    )?.NotificationConfiguration;
    return {
      name: resource.ref,
      arn: resource.attribute('Arn'),
      cors: (CorsConfiguration?.CorsRules ?? []).map(({ MaxAge, ...rule }) => ({
        allowedOrigins: rule.AllowedOrigins,
        allowedMethods: rule.AllowedMethods,
        allowedHeaders: rule.AllowedHeaders,
        exposedHeaders: rule.ExposedHeaders,
        ...(MaxAge !== undefined && { maxAgeSeconds: MaxAge }),
      })),
      ...(policy !== undefined && { policy: policy as PolicyDocument }),
      notifications: [
        ...(NotificationConfiguration?.QueueConfigurations ?? []),
        ...(NotificationConfiguration?.LambdaConfigurations ?? []),
        ...(putByDeployment?.QueueConfigurations ?? []),
        ...(putByDeployment?.LambdaFunctionConfigurations ?? []),
      ],
    };
  });
}

function toNotification(
  events: readonly string[],
  rules: z.infer<typeof keyRules>,
  destinationArn = '',
): BucketResource['notifications'][number] {
  const prefix = rules.find(({ Name }) => Name.toLowerCase() === 'prefix')?.Value;
  const suffix = rules.find(({ Name }) => Name.toLowerCase() === 'suffix')?.Value;
  return {
    events,
    ...(prefix !== undefined && { prefix }),
    ...(suffix !== undefined && { suffix }),
    destinationArn,
  };
}

const absent = z.undefined({ error: 'the local cloud does not support this property' });
const deployment = z.object({
  SourceObjectKeys: z.array(z.string().regex(/^[0-9a-f]+\.zip$/)),
  DestinationBucketName: z.string(),
  SystemMetadata: z.record(z.string(), z.string()).default({}),
  DestinationBucketKeyPrefix: absent,
  Exclude: absent,
  Include: absent,
  SourceMarkers: z.array(z.strictObject({})).optional(),
  UserMetadata: absent,
});

/**
 * Reads every file of the bucket deployments with its key and headers. Files of the asset folders are unchanged, because CDK zips
 * them only when it publishes.
 */
export function readUploads(resources: Resources): readonly UploadedFile[] {
  return resources.ofType('Custom::CDKBucketDeployment').flatMap((resource) => {
    const { SourceObjectKeys, DestinationBucketName, SystemMetadata } = readProperties(resource, deployment);
    return SourceObjectKeys.flatMap((key) => {
      const folder = join(resource.directory, `asset.${key.replace(/\.zip$/, '')}`);
      return globSync('**/*', { cwd: folder, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => {
          const file = join(entry.parentPath, entry.name);
          const name = relative(folder, file).split(sep).join('/');
          return { bucketName: DestinationBucketName, key: name, file, headers: SystemMetadata };
        });
    });
  });
}
