import { Annotations, ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  HeadersFrameOption,
  PriceClass,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { AnyPrincipal, Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  HttpMethods,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { Domain } from './domain.ts';
import { keepEmptierTidy } from './emptied-bucket.ts';
import { keptGlobalName } from './global-name.ts';
import { copyPublicFiles, versionsEnd } from './media-copies.ts';
import { keepIfStageKeepsData, pinLogicalId, removalPolicyOf } from './pin-logical-id.ts';

/**
 * The time for which caches keep a public file, and for which a deleted file may still be shown where the invalidation fails to
 * reach it.
 */
const cachedFor = Duration.hours(1);

/**
 * Uploaded media: a private bucket. Clients fill `incoming/` through presigned URLs. CloudFront serves `media/`, where
 * nothing can be overwritten (decision 16).
 */
export class MediaStore extends Construct {
  readonly bucket: Bucket;
  readonly distribution: Distribution;

  /** @param arrivals receives a message for each object that is created under `incoming/` */
  constructor(scope: Construct, id: string, { stage, arrivals }: { stage: Stage; arrivals: Queue }) {
    super(scope, id);
    this.bucket = createBucket(this, stage);
    this.distribution = createDistribution(this, this.bucket, stage);
    notifyOfUploads(this.bucket, arrivals);
  }

  /** Returns the ARN of the distribution with this id. CloudFront is global, so the ARN has no region. */
  distributionArnFrom(distributionId: string): string {
    const resource = { service: 'cloudfront', region: '', resource: 'distribution' };
    return Stack.of(this).formatArn({ ...resource, resourceName: distributionId });
  }
}

function createBucket(scope: Construct, stage: Stage): Bucket {
  const bucket = new Bucket(scope, 'Bucket', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    // Public files are never overwritten. A deleted file must be gone and stop costing storage; a version would remain. Only
    // copies in another Region need versions.
    versioned: stage.backupRegion !== undefined,
    cors: [
      {
        allowedMethods: [HttpMethods.PUT],
        allowedOrigins: originsThatUpload(stage),
        allowedHeaders: ['content-type'],
        exposedHeaders: ['ETag'],
        maxAge: 3600,
      },
    ],
    lifecycleRules: [
      { id: 'abandoned-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) },
      // Nearly all uploads are removed within seconds. This is longer than their queue keeps a message.
      { id: 'forgotten-uploads', prefix: 'incoming/', expiration: Duration.days(5) },
      ...(stage.backupRegion ? [versionsEnd] : []),
    ],
    removalPolicy: removalPolicyOf(stage),
    autoDeleteObjects: !stage.keepsData,
  });
  pinLogicalId(bucket, 'MediaBucket');
  if (!stage.keepsData) keepEmptierTidy(bucket, stage);
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason:
      'Owners upload objects in order to publish them. The function that grants uploads logs who may write which object.',
  });
  bucket.addToResourcePolicy(requireNewPublicFiles(bucket));
  if (stage.backupRegion) copyPublicFiles(scope, bucket, stage);
  return bucket;
}

/** Returns the origins of the settings, and the panel's own. */
function originsThatUpload({ uploadOrigins, panelDomain }: Stage): string[] {
  if (panelDomain === undefined || uploadOrigins.includes('*')) return [...uploadOrigins];
  return [...new Set([...uploadOrigins, `https://${panelDomain.name}`])];
}

/**
 * Denies overwriting a public file to everybody: every write must have `If-None-Match: *`.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html; for copies since October 2025:
 * https://aws.amazon.com/about-aws/whats-new/2025/10/amazon-s3-conditional-write-functionality-copy-operations/
 */
function requireNewPublicFiles(bucket: Bucket): PolicyStatement {
  return new PolicyStatement({
    sid: 'PublicFilesAreWrittenOnce',
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ['s3:PutObject'],
    resources: [bucket.arnForObjects('media/*')],
    conditions: { Null: { 's3:if-none-match': 'true' } },
  });
}

/**
 * Creates the distribution. It is kept with the bucket, as is everything that it needs to serve: AWS refuses to delete resources
 * in use.
 */
function createDistribution(scope: Construct, bucket: Bucket, stage: Stage): Distribution {
  const { mediaDomain } = stage;
  // The bucket is imported because CDK would otherwise let the distribution read all of it.
  const { bucketName, bucketRegionalDomainName } = bucket;
  const origin = Bucket.fromBucketAttributes(scope, 'Origin', { bucketName, bucketRegionalDomainName });
  const domain = mediaDomain && new Domain(scope, 'Domain', mediaDomain);
  const accessControl = new S3OriginAccessControl(scope, 'AccessControl', {
    originAccessControlName: keptGlobalName(scope, 'media'),
  });
  const cachePolicy = createCachePolicy(scope);
  const headersPolicy = createHeadersPolicy(scope);
  const distribution = new Distribution(scope, 'Distribution', {
    ...(domain && { domainNames: [domain.name], certificate: domain.certificate }),
    ...(stage.webAcls?.media && { webAclId: stage.webAcls.media }),
    comment: 'Herald media',
    priceClass: PriceClass.PRICE_CLASS_100,
    defaultBehavior: {
      origin: S3BucketOrigin.withOriginAccessControl(origin, { originAccessControl: accessControl }),
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      cachePolicy,
      // Platforms compare lengths and ask for ranges. Images and videos are compressed already.
      compress: false,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      responseHeadersPolicy: headersPolicy,
    },
    // S3 answers 403 for a file that does not exist. By default, CloudFront would repeat that for ten seconds, also to a platform
    // that fetches the file, if somebody had asked for it before it was accepted.
    errorResponses: [403, 404].map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
  });
  pinLogicalId(distribution, 'MediaDistribution');
  domain?.leadTo(new CloudFrontTarget(distribution), distribution.distributionDomainName);
  Annotations.of(distribution).acknowledgeWarning(
    '@aws-cdk/aws-cloudfront-origins:updateImportedBucketPolicyOac',
    'The policy is written below.',
  );
  bucket.addToResourcePolicy(
    new PolicyStatement({
      sid: 'DistributionReadsPublicFiles',
      principals: [new ServicePrincipal('cloudfront.amazonaws.com')],
      actions: ['s3:GetObject'],
      resources: [bucket.arnForObjects('media/*')],
      conditions: { StringEquals: { 'AWS:SourceArn': distribution.distributionArn } },
    }),
  );
  const needed = [accessControl, cachePolicy, headersPolicy, bucket.policy, domain?.created];
  for (const kept of [distribution, ...needed]) if (kept) keepIfStageKeepsData(kept, stage);
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

/** Creates the policy that caches by path alone, for an hour at most, regardless of an object's own headers. */
function createCachePolicy(scope: Construct): CachePolicy {
  return new CachePolicy(scope, 'Cache', {
    cachePolicyName: keptGlobalName(scope, 'media'),
    comment: 'Herald media',
    minTtl: Duration.seconds(0),
    defaultTtl: cachedFor,
    maxTtl: cachedFor,
  });
}

/**
 * Keeps browsers from running an upload as a page of ours, framing it, or guessing another content type for it. Replaces the
 * object's own header about downloads: objects that were uploaded to their public key have the uploader's.
 *
 * `Cache-Control` is left to the objects. CloudFront adds these headers to errors too, and a browser that asks for a file before
 * it is accepted must not cache the refusal:
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/modifying-response-headers.html
 */
function createHeadersPolicy(scope: Construct): ResponseHeadersPolicy {
  return new ResponseHeadersPolicy(scope, 'Headers', {
    responseHeadersPolicyName: keptGlobalName(scope, 'media'),
    customHeadersBehavior: {
      customHeaders: [{ header: 'Content-Disposition', value: 'inline', override: true }],
    },
    // The panel draws a picture of a video, and the browser lets it read what it has drawn only with this. Whoever has the address of
    // a file can read it anyway, and no cookie opens more.
    corsBehavior: {
      accessControlAllowOrigins: ['*'],
      accessControlAllowMethods: ['GET', 'HEAD'],
      accessControlAllowHeaders: ['*'],
      accessControlAllowCredentials: false,
      originOverride: true,
    },
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
        filter: { s3Key: { rules: [{ name: 'prefix', value: 'incoming/' }] } },
      },
    ],
  };
  if (permission.policyDependable) resource.node.addDependency(permission.policyDependable);
}
