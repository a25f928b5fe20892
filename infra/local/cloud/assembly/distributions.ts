/** Reads distributions with their behaviors, origins and functions. */
import * as z from 'zod';
import type { CacheBehavior, DistributionResource, ErrorResponse, OriginResource } from '../model.ts';
import { cachePolicyOf, passesRequestOn, responseHeadersOf } from './distribution-policies.ts';
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
