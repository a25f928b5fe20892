import { ArnFormat, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  HeadersFrameOption,
  PriceClass,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  HttpMethods,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { pinLogicalId } from './pin-logical-id.ts';

/** Uploaded media: a private bucket that browsers fill by presigned URL, read by the world through CloudFront. */
export class MediaStore extends Construct {
  readonly bucket: Bucket;
  readonly distribution: Distribution;

  /** @param arrivals is told of each object that is created under `media/`. */
  constructor(scope: Construct, id: string, { stage, arrivals }: { stage: Stage; arrivals: Queue }) {
    super(scope, id);
    this.bucket = createBucket(this, stage);
    this.distribution = createDistribution(this, this.bucket);
    notifyOfUploads(this.bucket, arrivals);
  }
}

function createBucket(scope: Construct, stage: Stage): Bucket {
  const bucket = new Bucket(scope, 'Bucket', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    // Each grant to upload has a key of its own, so nothing is overwritten by another; and what a user deletes has to
    // be gone and give back its storage, where a version would linger.
    versioned: false,
    cors: [
      {
        allowedMethods: [HttpMethods.PUT],
        allowedOrigins: [...stage.uploadOrigins],
        allowedHeaders: ['content-type'],
        exposedHeaders: ['ETag'],
        maxAge: 3600,
      },
    ],
    lifecycleRules: [{ id: 'abandoned-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  pinLogicalId(bucket, 'MediaBucket');
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason:
      'Every object is published by its owner; who may write one is in the log of the function that granted it.',
  });
  return bucket;
}

function createDistribution(scope: Construct, bucket: Bucket): Distribution {
  const distribution = new Distribution(scope, 'Distribution', {
    comment: 'Herald media',
    priceClass: PriceClass.PRICE_CLASS_100,
    defaultBehavior: {
      // The library's own types disagree about an optional property under `exactOptionalPropertyTypes`.
      origin: S3BucketOrigin.withOriginAccessControl(bucket as IBucket),
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      responseHeadersPolicy: createHeadersPolicy(scope),
    },
  });
  pinLogicalId(distribution, 'MediaDistribution');
  Validations.of(distribution).acknowledge(
    {
      id: 'AwsSolutions-CFR1',
      reason: 'Platforms fetch media from wherever their servers stand: no country may be shut out.',
    },
    {
      id: 'AwsSolutions-CFR2',
      reason: 'It serves static objects under unguessable keys and nothing else: there is nothing to filter.',
    },
    {
      id: 'AwsSolutions-CFR3',
      reason: 'Who looks at a public file is not recorded, by intent; counts and errors are in its metrics.',
    },
    {
      id: 'AwsSolutions-CFR4',
      reason:
        "CloudFront's own domain has a fixed TLS policy; a stronger one comes with a domain of one's own.",
    },
  );
  return distribution;
}

/** A file is a file: no browser may take an upload for a page of ours, run it, or guess another type for it. */
function createHeadersPolicy(scope: Construct): ResponseHeadersPolicy {
  return new ResponseHeadersPolicy(scope, 'Headers', {
    securityHeadersBehavior: {
      contentTypeOptions: { override: true },
      contentSecurityPolicy: { contentSecurityPolicy: "default-src 'none'; sandbox", override: true },
      frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
      strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
    },
  });
}

/**
 * Written into the bucket itself, where CDK's own way adds a function with rights on every bucket. S3 tries the queue
 * when the bucket is made, so the queue must let it send before: by account, since the bucket has no name yet.
 */
function notifyOfUploads(bucket: Bucket, arrivals: Queue): void {
  const { account } = Stack.of(bucket);
  const permission = arrivals.addToResourcePolicy(
    new PolicyStatement({
      sid: 'BucketsOfThisAccount',
      principals: [new ServicePrincipal('s3.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [arrivals.queueArn],
      conditions: {
        StringEquals: { 'aws:SourceAccount': account },
        ArnLike: {
          'aws:SourceArn': Stack.of(bucket).formatArn({
            service: 's3',
            region: '',
            account: '',
            resource: '*',
            arnFormat: ArnFormat.NO_RESOURCE_NAME,
          }),
        },
      },
    }),
  );
  const resource = bucket.node.defaultChild as CfnBucket;
  resource.notificationConfiguration = {
    queueConfigurations: [
      {
        event: 's3:ObjectCreated:*',
        queue: arrivals.queueArn,
        filter: { s3Key: { rules: [{ name: 'prefix', value: 'media/' }] } },
      },
    ],
  };
  if (permission.policyDependable) resource.node.addDependency(permission.policyDependable);
}
