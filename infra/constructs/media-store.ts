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

/** Uploaded media: a private bucket that clients fill through presigned URLs, and that CloudFront serves publicly. */
export class MediaStore extends Construct {
  readonly bucket: Bucket;
  readonly distribution: Distribution;

  /** @param arrivals receives a message for each object that is created under `media/` */
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
    // Every upload grant has its own key, so uploads overwrite nothing. A deleted file must be gone and stop costing
    // storage; a version would remain.
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
      'Owners upload objects in order to publish them. The function that grants uploads logs who may write which object.',
  });
  return bucket;
}

function createDistribution(scope: Construct, bucket: Bucket): Distribution {
  const distribution = new Distribution(scope, 'Distribution', {
    comment: 'Herald media',
    priceClass: PriceClass.PRICE_CLASS_100,
    defaultBehavior: {
      // `Bucket` does not match `IBucket` under `exactOptionalPropertyTypes` because of an optional property.
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
      reason: 'Platforms fetch media from servers anywhere in the world, so no country may be blocked.',
    },
    {
      id: 'AwsSolutions-CFR2',
      reason:
        'It serves only static objects under unguessable keys, so there is nothing for a firewall to filter.',
    },
    {
      id: 'AwsSolutions-CFR3',
      reason: 'Herald does not record who views a public file. The metrics have counts and errors.',
    },
    {
      id: 'AwsSolutions-CFR4',
      reason: "CloudFront's default domain has a fixed TLS policy. A stronger one requires a custom domain.",
    },
  );
  return distribution;
}

/** Keeps browsers from running an upload as a page of ours, framing it, or guessing another content type for it. */
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
 * Sets the notification on the bucket resource itself, because CDK's method adds a function with rights on every bucket.
 * S3 sends a test message when it creates the bucket, so the queue's policy must exist first. It allows all buckets of
 * the account, because the bucket has no name yet.
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
