import { join } from 'node:path';
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { contentSecurityPolicy, type SiteHosts } from '../content-security-policy.ts';
import type { Stage } from '../stages.ts';
import { Domain } from './domain.ts';
import { keepEmptierTidy } from './emptied-bucket.ts';
import { globalName } from './global-name.ts';
import { pinLogicalId } from './pin-logical-id.ts';

export interface PanelSiteProps {
  /** The host of the HTTP API. */
  readonly apiDomain: string;
  /** The secret that is sent to the HTTP API as `x-origin-secret`. */
  readonly originSecret: string;
  readonly hosts: SiteHosts;
  readonly stage: Stage;
}

/**
 * The errors that CloudFront may cache.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/http-4xx-5xx-status-codes.html
 */
const keptErrors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/**
 * The panel's host: one origin for browsers. Its pages come from a private bucket; `/api/*` and the API's documents come from the
 * HTTP API, and are never cached.
 */
export class PanelSite extends Construct {
  readonly bucket: IBucket;
  readonly distribution: Distribution;

  constructor(scope: Construct, id: string, props: PanelSiteProps) {
    super(scope, id);
    this.bucket = createSiteBucket(this, props.stage);
    const api = this.toApi(props);
    const domain = props.stage.panelDomain && new Domain(this, 'Domain', props.stage.panelDomain);
    this.distribution = new Distribution(this, 'Distribution', {
      ...(domain && { domainNames: [domain.name], certificate: domain.certificate }),
      ...(props.stage.webAcls?.panel && { webAclId: props.stage.webAcls.panel }),
      comment: 'Herald panel',
      priceClass: PriceClass.PRICE_CLASS_100,
      httpVersion: HttpVersion.HTTP2_AND_3,
      enableIpv6: true,
      defaultRootObject: 'index.html',
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(this.bucket, {
          originAccessControl: new S3OriginAccessControl(this, 'AccessControl', {
            originAccessControlName: globalName(this, 'site'),
          }),
        }),
        allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
        cachePolicy: this.cacheOfFiles(),
        compress: true,
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        responseHeadersPolicy: createPagesHeaders(this, props.hosts),
        functionAssociations: this.atViewerRequest('Pages', 'pages.js'),
      },
      additionalBehaviors: { '/api/*': api, '/docs*': api, '/v1/openapi.json': api },
      // By default CloudFront caches errors for ten seconds, even where nothing else is cached, and by address alone: other
      // people would receive one person's 404.
      errorResponses: keptErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    pinLogicalId(this.distribution, 'PanelDistribution');
    domain?.leadTo(new CloudFrontTarget(this.distribution), this.distribution.distributionDomainName);
    acknowledgeFindings(this.distribution);
  }

  private toApi({ apiDomain, originSecret }: PanelSiteProps): BehaviorOptions {
    return {
      origin: new HttpOrigin(apiDomain, {
        protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        // Replaces a viewer's own header of this name.
        customHeaders: { 'x-origin-secret': originSecret },
      }),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      responseHeadersPolicy: createApiHeaders(this),
      functionAssociations: this.atViewerRequest('ViewerHeaders', 'viewer-headers.js'),
    };
  }

  private atViewerRequest(id: string, file: string) {
    const edgeFunction = new EdgeFunction(this, id, {
      code: FunctionCode.fromFile({ filePath: join(import.meta.dirname, '../edge-functions', file) }),
      runtime: FunctionRuntime.JS_2_0,
    });
    return [{ function: edgeFunction, eventType: FunctionEventType.VIEWER_REQUEST }];
  }

  /**
   * Creates the policy of the site's files. Each file says itself how long it may be cached: the page not at all, the rest for a
   * year.
   */
  private cacheOfFiles(): CachePolicy {
    return new CachePolicy(this, 'Cache', {
      comment: 'Herald panel',
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.days(365),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    });
  }
}

/** Creates the site's bucket. A deployment can rebuild all its content, so it is deleted with its stack in every stage. */
function createSiteBucket(scope: Construct, stage: Stage): IBucket {
  const bucket = new Bucket(scope, 'Bucket', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    removalPolicy: RemovalPolicy.DESTROY,
    autoDeleteObjects: true,
  });
  keepEmptierTidy(bucket, stage);
  pinLogicalId(bucket, 'SiteBucket978D4AEB');
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'It holds the scripts and styles of the panel, which everybody may read through CloudFront.',
  });
  // The class declares a property as optional that the interface does not.
  return bucket as IBucket;
}

function acknowledgeFindings(distribution: Distribution): void {
  Validations.of(distribution).acknowledge(
    {
      id: 'AwsSolutions-CFR1',
      reason: 'Members of workspaces may be in any country. Who they are is decided by their sign-in.',
    },
    {
      id: 'AwsSolutions-CFR2',
      reason:
        'Its files are static, and the API behind it limits the rate of each address and session itself, as it does without CloudFront.',
    },
    {
      id: 'AwsSolutions-CFR3',
      reason:
        'The HTTP API logs its requests without client addresses. Herald does not record who loads its pages.',
    },
    {
      id: 'AwsSolutions-CFR4',
      reason: "CloudFront's default domain has a fixed TLS policy. A stronger one requires a custom domain.",
    },
  );
}

/** Browser features that no page of the panel uses. */
const unusedFeatures = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
];

const commonHeaders = {
  contentTypeOptions: { override: true },
  referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.SAME_ORIGIN, override: true },
  strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
};

/** Creates the headers of the panel's own files. */
function createPagesHeaders(scope: Construct, hosts: SiteHosts): ResponseHeadersPolicy {
  const custom = {
    // Windows of other sites get no reference to ours. The sign-in window talks to the page by a BroadcastChannel.
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': unusedFeatures.map((feature) => `${feature}=()`).join(', '),
  };
  return new ResponseHeadersPolicy(scope, 'PagesHeaders', {
    responseHeadersPolicyName: globalName(scope, 'pages'),
    securityHeadersBehavior: {
      ...commonHeaders,
      contentSecurityPolicy: { contentSecurityPolicy: contentSecurityPolicy(hosts), override: true },
      frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
    },
    customHeadersBehavior: {
      customHeaders: Object.entries(custom).map(([header, value]) => ({ header, value, override: true })),
    },
  });
}

/** Creates the headers that are added to the HTTP API's answers, which have their own Content-Security-Policy. */
function createApiHeaders(scope: Construct): ResponseHeadersPolicy {
  return new ResponseHeadersPolicy(scope, 'ApiHeaders', {
    responseHeadersPolicyName: globalName(scope, 'api'),
    securityHeadersBehavior: commonHeaders,
  });
}
