/** Reads distributions with the policies that shape their responses. */
import * as z from 'zod';
import type { DistributionResource } from '../model.ts';
import { readProperties } from './read-properties.ts';
import { bucketDomain, type Place } from './references.ts';
import type { Resources } from './stacks.ts';

const distributionProperties = z.object({
  DistributionConfig: z.object({
    DefaultCacheBehavior: z.object({
      TargetOriginId: z.string(),
      CachePolicyId: z.string().optional(),
      ResponseHeadersPolicyId: z.string().optional(),
    }),
    CustomErrorResponses: z
      .array(z.object({ ErrorCode: z.int(), ErrorCachingMinTTL: z.number().optional() }))
      .default([]),
    Origins: z.array(
      z.object({ Id: z.string(), DomainName: z.string(), OriginPath: z.string().default('') }),
    ),
  }),
});

/** Every distribution. @throws Error if its default origin is not a bucket of the assembly. */
export function readDistributions(resources: Resources, place: Place): readonly DistributionResource[] {
  const buckets = resources.ofType('AWS::S3::Bucket');
  return resources.ofType('AWS::CloudFront::Distribution').map((resource) => {
    const { Origins, DefaultCacheBehavior, CustomErrorResponses } = readProperties(
      resource,
      distributionProperties,
    ).DistributionConfig;
    const origin = Origins.find(({ Id }) => Id === DefaultCacheBehavior.TargetOriginId);
    const bucket = buckets.find(({ ref }) => bucketDomain(ref, place.region) === origin?.DomainName);
    if (origin === undefined || bucket === undefined) {
      throw new Error(`the default origin of ${resource.logicalId} is not a bucket of the assembly`);
    }
    return {
      id: resource.ref,
      arn: `arn:aws:cloudfront::${place.accountId}:distribution/${resource.ref}`,
      domainName: resource.attribute('DomainName'),
      originBucketArn: bucket.attribute('Arn'),
      originPath: origin.OriginPath,
      responseHeaders: responseHeadersOf(resources, DefaultCacheBehavior.ResponseHeadersPolicyId),
      cacheSeconds: cacheSecondsOf(resources, DefaultCacheBehavior.CachePolicyId),
      errorSeconds: Object.fromEntries(
        CustomErrorResponses.flatMap(({ ErrorCode, ErrorCachingMinTTL }) =>
          ErrorCachingMinTTL === undefined ? [] : [[ErrorCode, ErrorCachingMinTTL]],
        ),
      ),
    };
  });
}

const seconds = z.coerce.number();
const cachePolicy = z.object({
  CachePolicyConfig: z.object({ MinTTL: seconds, DefaultTTL: seconds, MaxTTL: seconds }),
});

/** A managed policy is not in the assembly. Then nothing is cached. */
function cacheSecondsOf(
  resources: Resources,
  policyId: string | undefined,
): DistributionResource['cacheSeconds'] {
  const policy = resources.ofType('AWS::CloudFront::CachePolicy').find(({ ref }) => ref === policyId);
  if (policy === undefined) return { min: 0, default: 0, max: 0 };
  const { MinTTL, DefaultTTL, MaxTTL } = readProperties(policy, cachePolicy).CachePolicyConfig;
  return { min: MinTTL, default: DefaultTTL, max: MaxTTL };
}

const override = z.boolean();
const headersPolicy = z.object({
  ResponseHeadersPolicyConfig: z.object({
    CustomHeadersConfig: z
      .object({ Items: z.array(z.object({ Header: z.string(), Value: z.string(), Override: override })) })
      .default({ Items: [] }),
    SecurityHeadersConfig: z
      .object({
        ContentTypeOptions: z.object({ Override: override }),
        ContentSecurityPolicy: z.object({ ContentSecurityPolicy: z.string(), Override: override }),
        FrameOptions: z.object({ FrameOption: z.string(), Override: override }),
        StrictTransportSecurity: z.object({ AccessControlMaxAgeSec: seconds, Override: override }),
      })
      .partial()
      .strict()
      .default({}),
  }),
});

/** @throws Error for a security header that is not known here. */
function responseHeadersOf(
  resources: Resources,
  policyId: string | undefined,
): DistributionResource['responseHeaders'] {
  const policy = resources
    .ofType('AWS::CloudFront::ResponseHeadersPolicy')
    .find(({ ref }) => ref === policyId);
  if (policy === undefined) return [];
  const { CustomHeadersConfig, SecurityHeadersConfig } = readProperties(
    policy,
    headersPolicy,
  ).ResponseHeadersPolicyConfig;
  const { ContentTypeOptions, ContentSecurityPolicy, FrameOptions, StrictTransportSecurity } =
    SecurityHeadersConfig;
  const security = [
    ContentTypeOptions && { Header: 'X-Content-Type-Options', Value: 'nosniff', ...ContentTypeOptions },
    ContentSecurityPolicy && {
      Header: 'Content-Security-Policy',
      Value: ContentSecurityPolicy.ContentSecurityPolicy,
      ...ContentSecurityPolicy,
    },
    FrameOptions && { Header: 'X-Frame-Options', Value: FrameOptions.FrameOption, ...FrameOptions },
    StrictTransportSecurity && {
      Header: 'Strict-Transport-Security',
      Value: `max-age=${StrictTransportSecurity.AccessControlMaxAgeSec}`,
      ...StrictTransportSecurity,
    },
  ].filter((header) => header !== undefined);
  return [...security, ...CustomHeadersConfig.Items].map(({ Header, Value, Override }) => ({
    name: Header.toLowerCase(),
    value: Value,
    overrides: Override,
  }));
}
