/** Reads distributions with their behaviors, origins, functions and policies: caching, forwarding to origins, and added headers. */
import * as z from 'zod';
import type {
  CacheBehavior,
  CachePolicyResource,
  DistributionResource,
  ErrorResponse,
  OriginResource,
} from '../model.ts';
import { count, readProperties } from './read-properties.ts';
import { apiDomain, bucketDomain, type Place } from './references.ts';
import type { Resource, Resources } from './stacks.ts';

const behaviorProperties = z.object({
  PathPattern: z.string().default('*'),
  TargetOriginId: z.string(),
  AllowedMethods: z.array(z.string()).default(['GET', 'HEAD']),
  Compress: z.boolean().default(false),
  CachePolicyId: z.string().optional(),
  OriginRequestPolicyId: z.string().optional(),
  ResponseHeadersPolicyId: z.string().optional(),
  FunctionAssociations: z
    .array(z.object({ EventType: z.literal('viewer-request'), FunctionARN: z.string() }))
    .max(1)
    .default([]),
  LambdaFunctionAssociations: z.array(z.never()).optional(),
});
const originProperties = z.object({
  Id: z.string(),
  DomainName: z.string(),
  OriginPath: z.string().default(''),
  OriginCustomHeaders: z.array(z.object({ HeaderName: z.string(), HeaderValue: z.string() })).default([]),
});
const distributionProperties = z.object({
  DistributionConfig: z.object({
    DefaultRootObject: z.string().default(''),
    CacheBehaviors: z.array(behaviorProperties).default([]),
    DefaultCacheBehavior: behaviorProperties,
    CustomErrorResponses: z
      .array(
        z.object({
          ErrorCode: z.int(),
          ErrorCachingMinTTL: z.number().optional(),
          ResponsePagePath: z.string().optional(),
          ResponseCode: count.optional(),
        }),
      )
      .default([]),
    Origins: z.array(originProperties),
  }),
});

/** Reads every distribution. @throws Error if an origin is neither a bucket nor the HTTP API of the assembly. */
export function readDistributions(resources: Resources, place: Place): readonly DistributionResource[] {
  return resources.ofType('AWS::CloudFront::Distribution').map((resource) => {
    const config = readProperties(resource, distributionProperties).DistributionConfig;
    const origins = new Map(
      config.Origins.map((origin) => [origin.Id, readOrigin(origin, resource, resources, place)]),
    );
    return {
      name: resource.logicalId,
      id: resource.ref,
      arn: `arn:aws:cloudfront::${place.accountId}:distribution/${resource.ref}`,
      domainName: resource.attribute('DomainName'),
      defaultRootObject: config.DefaultRootObject,
      behaviors: [...config.CacheBehaviors, config.DefaultCacheBehavior].map((behavior) =>
        readBehavior(behavior, origins, resources, place),
      ),
      errorResponses: Object.fromEntries(
        config.CustomErrorResponses.map((response) => [response.ErrorCode, readErrorResponse(response)]),
      ),
    };
  });
}

function readOrigin(
  { DomainName, OriginPath, OriginCustomHeaders }: z.infer<typeof originProperties>,
  distribution: Resource,
  resources: Resources,
  place: Place,
): OriginResource {
  const bucket = resources
    .ofType('AWS::S3::Bucket')
    .find(({ ref }) => bucketDomain(ref, place.region) === DomainName);
  if (bucket !== undefined) return { kind: 'bucket', bucketArn: bucket.attribute('Arn'), path: OriginPath };
  const api = resources
    .ofType('AWS::ApiGatewayV2::Api')
    .find(({ ref }) => apiDomain(ref, place.region) === DomainName);
  if (api === undefined) {
    throw new Error(
      `the origin ${DomainName} of ${distribution.logicalId} is neither a bucket nor the HTTP API of the assembly`,
    );
  }
  const headers = OriginCustomHeaders.map(
    ({ HeaderName, HeaderValue }) => [HeaderName.toLowerCase(), HeaderValue] as const,
  );
  return { kind: 'http', url: place.apiUrl, path: OriginPath, headers: Object.fromEntries(headers) };
}

function readBehavior(
  behavior: z.infer<typeof behaviorProperties>,
  origins: ReadonlyMap<string, OriginResource>,
  resources: Resources,
  place: Place,
): CacheBehavior {
  const origin = origins.get(behavior.TargetOriginId);
  if (origin === undefined)
    throw new Error(`${behavior.PathPattern} has no origin ${behavior.TargetOriginId}`);
  const [association] = behavior.FunctionAssociations;
  return {
    pathPattern: behavior.PathPattern,
    allowedMethods: behavior.AllowedMethods,
    origin,
    compresses: behavior.Compress,
    cache: cachePolicyOf(resources, behavior.CachePolicyId),
    passesRequestOn: passesRequestOn(behavior.OriginRequestPolicyId),
    responseHeaders: responseHeadersOf(resources, place, behavior.ResponseHeadersPolicyId),
    ...(association && { viewerRequestFunction: functionSource(resources, association.FunctionARN) }),
  };
}

const functionProperties = z.object({ FunctionCode: z.string() });

function functionSource(resources: Resources, functionArn: string): string {
  const found = resources
    .ofType('AWS::CloudFront::Function')
    .find((resource) => resource.attribute('FunctionARN') === functionArn);
  if (found === undefined) throw new Error(`the assembly has no CloudFront function ${functionArn}`);
  return readProperties(found, functionProperties).FunctionCode;
}

function readErrorResponse({
  ErrorCachingMinTTL,
  ResponsePagePath,
  ResponseCode,
}: {
  readonly ErrorCachingMinTTL?: number | undefined;
  readonly ResponsePagePath?: string | undefined;
  readonly ResponseCode?: number | undefined;
}): ErrorResponse {
  return {
    ...(ErrorCachingMinTTL !== undefined && { cacheSeconds: ErrorCachingMinTTL }),
    ...(ResponsePagePath !== undefined &&
      ResponseCode !== undefined && { page: { path: ResponsePagePath, status: ResponseCode } }),
  };
}

const seconds = z.coerce.number();
const none = z.literal('none', { error: 'the local cloud caches by path alone' });
const cachePolicy = z.object({
  CachePolicyConfig: z.object({
    MinTTL: seconds,
    DefaultTTL: seconds,
    MaxTTL: seconds,
    ParametersInCacheKeyAndForwardedToOrigin: z.object({
      EnableAcceptEncodingBrotli: z.boolean().default(false),
      EnableAcceptEncodingGzip: z.boolean(),
      CookiesConfig: z.object({ CookieBehavior: none }),
      HeadersConfig: z.object({ HeaderBehavior: none }),
      QueryStringsConfig: z.object({ QueryStringBehavior: none }),
    }),
  }),
});

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html */
const managedCachePolicies: Readonly<Record<string, CachePolicyResource>> = {
  // CachingDisabled
  '4135ea2d-6df8-44a3-9df3-4b5a84be39ad': { minSeconds: 0, defaultSeconds: 0, maxSeconds: 0, encodings: [] },
  // CachingOptimized
  '658327ea-f89d-4fab-a63d-7e88639e58f6': {
    minSeconds: 1,
    defaultSeconds: 86_400,
    maxSeconds: 31_536_000,
    encodings: ['br', 'gzip'],
  },
};

/**
 * Returns a cache policy.
 *
 * @throws Error for an unknown managed policy, and for a policy with a key of more than the path
 */
function cachePolicyOf(resources: Resources, policyId = ''): CachePolicyResource {
  const managed = managedCachePolicies[policyId];
  if (managed !== undefined) return managed;
  const policy = resources.ofType('AWS::CloudFront::CachePolicy').find(({ ref }) => ref === policyId);
  if (policy === undefined) throw new Error(`the cache policy ${policyId} is not supported`);
  const { MinTTL, DefaultTTL, MaxTTL, ...config } = readProperties(policy, cachePolicy).CachePolicyConfig;
  const { EnableAcceptEncodingBrotli, EnableAcceptEncodingGzip } =
    config.ParametersInCacheKeyAndForwardedToOrigin;
  return {
    minSeconds: MinTTL,
    defaultSeconds: DefaultTTL,
    maxSeconds: MaxTTL,
    encodings: [
      ...(EnableAcceptEncodingBrotli ? (['br'] as const) : []),
      ...(EnableAcceptEncodingGzip ? (['gzip'] as const) : []),
    ],
  };
}

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-origin-request-policies.html */
const allViewerExceptHostHeader = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

/**
 * Returns true if the policy passes the viewer's request on.
 *
 * @throws Error for any origin request policy but the managed AllViewerExceptHostHeader
 */
function passesRequestOn(policyId: string | undefined): boolean {
  if (policyId === undefined) return false;
  if (policyId === allViewerExceptHostHeader) return true;
  throw new Error(`the origin request policy ${policyId} is not supported`);
}

const override = z.boolean();
const headersPolicy = z.object({
  ResponseHeadersPolicyConfig: z.object({
    CorsConfig: z
      .object({
        AccessControlAllowOrigins: z.object({ Items: z.tuple([z.literal('*')]) }),
        AccessControlAllowCredentials: z.literal(false),
        OriginOverride: override,
      })
      .optional(),
    CustomHeadersConfig: z
      .object({ Items: z.array(z.object({ Header: z.string(), Value: z.string(), Override: override })) })
      .default({ Items: [] }),
    SecurityHeadersConfig: z
      .object({
        ContentTypeOptions: z.object({ Override: override }),
        ContentSecurityPolicy: z.object({ ContentSecurityPolicy: z.string(), Override: override }),
        FrameOptions: z.object({ FrameOption: z.string(), Override: override }),
        ReferrerPolicy: z.object({ ReferrerPolicy: z.string(), Override: override }),
        StrictTransportSecurity: z.object({ AccessControlMaxAgeSec: seconds, Override: override }),
      })
      .partial()
      .strict()
      .default({}),
  }),
});

/**
 * Returns the headers with this machine's addresses in place of AWS's, so that a Content-Security-Policy allows the same as
 * there.
 *
 * @throws Error for an unknown security header, and for a managed policy
 */
function responseHeadersOf(
  resources: Resources,
  place: Place,
  policyId: string | undefined,
): CacheBehavior['responseHeaders'] {
  if (policyId === undefined) return [];
  const policy = resources
    .ofType('AWS::CloudFront::ResponseHeadersPolicy')
    .find(({ ref }) => ref === policyId);
  if (policy === undefined) throw new Error(`the response headers policy ${policyId} is not supported`);
  const { CorsConfig, CustomHeadersConfig, SecurityHeadersConfig } = readProperties(
    policy,
    headersPolicy,
  ).ResponseHeadersPolicyConfig;
  const toLocal = localAddresses(resources, place);
  return [
    ...corsHeaders(CorsConfig),
    ...securityHeaders(SecurityHeadersConfig),
    ...CustomHeadersConfig.Items,
  ].map(({ Header, Value, Override }) => ({
    name: Header.toLowerCase(),
    value: toLocal(Value),
    overrides: Override,
  }));
}

/** CloudFront answers requests that have an origin, whatever it is. */
const corsHeaders = (
  config: z.infer<typeof headersPolicy>['ResponseHeadersPolicyConfig']['CorsConfig'],
): readonly { readonly Header: string; readonly Value: string; readonly Override: boolean }[] =>
  config === undefined
    ? []
    : [{ Header: 'Access-Control-Allow-Origin', Value: '*', Override: config.OriginOverride }];

function securityHeaders(
  config: z.infer<typeof headersPolicy>['ResponseHeadersPolicyConfig']['SecurityHeadersConfig'],
) {
  const { ContentTypeOptions, ContentSecurityPolicy, FrameOptions, ReferrerPolicy, StrictTransportSecurity } =
    config;
  return [
    ContentTypeOptions && { Header: 'X-Content-Type-Options', Value: 'nosniff', ...ContentTypeOptions },
    ContentSecurityPolicy && {
      Header: 'Content-Security-Policy',
      Value: ContentSecurityPolicy.ContentSecurityPolicy,
      Override: ContentSecurityPolicy.Override,
    },
    FrameOptions && { Header: 'X-Frame-Options', Value: FrameOptions.FrameOption, ...FrameOptions },
    ReferrerPolicy && {
      Header: 'Referrer-Policy',
      Value: ReferrerPolicy.ReferrerPolicy,
      Override: ReferrerPolicy.Override,
    },
    StrictTransportSecurity && {
      Header: 'Strict-Transport-Security',
      Value: `max-age=${StrictTransportSecurity.AccessControlMaxAgeSec}`,
      ...StrictTransportSecurity,
    },
  ].filter((header) => header !== undefined);
}

/** Replaces the addresses of buckets, distributions and the HTTP API. */
function localAddresses(resources: Resources, place: Place): (text: string) => string {
  const local = [
    ...resources
      .ofType('AWS::S3::Bucket')
      .map(({ ref }) => [`https://${bucketDomain(ref, place.region)}`, place.endpointUrl] as const),
    ...resources
      .ofType('AWS::CloudFront::Distribution')
      .map((resource) => resource.attribute('DomainName'))
      .map((host) => [`https://${host}`, `http://${host}`] as const),
    ...resources
      .ofType('AWS::ApiGatewayV2::Api')
      .map(({ ref }) => [`https://${apiDomain(ref, place.region)}`, place.apiUrl] as const),
  ];
  return (text) => local.reduce((changed, [address, own]) => changed.replaceAll(address, own), text);
}
