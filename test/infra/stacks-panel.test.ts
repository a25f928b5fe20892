import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { createOriginSecrets } from '../../infra/constructs/origin-secret.ts';
import { addedStyles, contentSecurityPolicy } from '../../infra/content-security-policy.ts';
import { findStage } from '../../infra/stages.ts';
import { signInScopes } from '../../lib/people/issuer.ts';
import {
  constructName,
  referenced,
  synthesizeOnce,
  type TemplateResource,
  type Templates,
} from './support/synthesize.ts';

let service: Templates;
beforeAll(() => {
  service = synthesizeOnce();
});

const panel = (type: string): readonly TemplateResource[] =>
  (service.stacks['panel'] ?? []).filter(({ Type }) => Type === type);
const only = (type: string) => {
  const [found, ...others] = panel(type);
  expect(others).toEqual([]);
  return found?.Properties;
};
const config = () => only('AWS::CloudFront::Distribution').DistributionConfig;
/** A value as text, with `<…>` for what CloudFormation fills in. */
const text = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const [call, argument] = Object.entries(value as object)[0] ?? [];
  if (call === 'Fn::Join') return (argument[1] as unknown[]).map(text).join(argument[0]);
  return `<${referenced(value)}>`;
};

describe('the panel’s distribution', () => {
  it('serves pages from its bucket, and the API and its documents from the HTTP API', () => {
    const origins = Object.fromEntries(
      config().Origins.map(({ Id, DomainName }: { Id: string; DomainName: unknown }) => [
        Id,
        text(DomainName),
      ]),
    );
    const { CacheBehaviors, DefaultCacheBehavior } = config();
    const served = [...CacheBehaviors, { ...DefaultCacheBehavior, PathPattern: 'else' }].map(
      ({ PathPattern, TargetOriginId }) => [
        PathPattern,
        origins[TargetOriginId].replace(/^<.*(Bucket).*>$/, '$1'),
      ],
    );
    expect(Object.fromEntries(served)).toEqual({
      '/api/*': expect.stringMatching(/^<.*>\.execute-api\.<AWS::Region>\.<AWS::URLSuffix>$/),
      '/docs*': expect.stringMatching(/execute-api/),
      '/v1/openapi.json': expect.stringMatching(/execute-api/),
      else: 'Bucket',
    });
  });

  it('speaks HTTP/3 and IPv6, and only TLS', () => {
    expect(config()).toMatchObject({ HttpVersion: 'http2and3', IPV6Enabled: true });
    for (const { ViewerProtocolPolicy } of [...config().CacheBehaviors, config().DefaultCacheBehavior])
      expect(ViewerProtocolPolicy).toBe('redirect-to-https');
    for (const { CustomOriginConfig } of config().Origins)
      expect(CustomOriginConfig?.OriginProtocolPolicy ?? 'https-only').toBe('https-only');
  });

  it('keeps nothing of the API, no error either, and passes everything but the host on', () => {
    for (const behavior of config().CacheBehaviors) {
      expect(behavior).toMatchObject({
        // CachingDisabled and AllViewerExceptHostHeader:
        // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      });
      expect(behavior.AllowedMethods).toHaveLength(7);
    }
    const kept = config().CustomErrorResponses.map(
      ({ ErrorCode, ErrorCachingMinTTL }: Record<string, number>) => [ErrorCode, ErrorCachingMinTTL],
    );
    // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/http-4xx-5xx-status-codes.html
    const statuses = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];
    expect(kept).toEqual(statuses.map((status) => [status, 0]));
  });

  it('proves itself to the API with a secret of which the functions know only the digest', () => {
    const [{ HeaderName, HeaderValue }, ...others] = config().Origins.flatMap(
      ({ OriginCustomHeaders = [] }: { OriginCustomHeaders?: unknown[] }) => OriginCustomHeaders,
    );
    expect(others).toEqual([]);
    expect(HeaderName).toBe('x-origin-secret');
    expect(text(HeaderValue)).toMatch(
      /^\{\{resolve:secretsmanager:<.*PanelOriginSecret.*>:SecretString:::\}\}$/,
    );
    const known = service
      .ofType('AWS::Lambda::Function')
      .flatMap(({ Properties }) => Properties.Environment.Variables.PANEL_ORIGIN_SECRET_DIGEST ?? []);
    expect(known.length).toBeGreaterThan(10);
    expect(new Set(known.map(text))).toEqual(new Set([expect.stringMatching(/PanelOriginSecret\w+Digest/)]));
    const all = Object.values(service.stacks).flat();
    const holders = all.filter((resource) =>
      JSON.stringify(resource.Properties ?? {}).includes('resolve:secretsmanager'),
    );
    expect(holders.map(({ Type }) => Type)).toEqual(['AWS::CloudFront::Distribution']);
    const readers = all.filter((resource) =>
      JSON.stringify(resource.Properties ?? {}).includes('secretsmanager:Get'),
    );
    expect(readers.map(({ Type, Metadata }) => [Type, Metadata?.['aws:cdk:path']])).toEqual([
      ['AWS::IAM::Role', expect.stringContaining('/Custom::SecretDigest/Role/')],
    ]);
    const [secret] = service.ofType('AWS::SecretsManager::Secret');
    expect(secret?.Properties.GenerateSecretString).toEqual({ PasswordLength: 64, ExcludePunctuation: true });
  });

  it('may change to another secret while other stacks still import what belongs to the one before', () => {
    const stack = new Stack(new App(), 'data');
    const secrets = createOriginSecrets(stack, findStage('dev'), ['First', 'Second']);
    expect(secrets.map(({ digest }) => stack.resolve(digest))).toEqual([
      { 'Fn::GetAtt': ['FirstDigest', 'Digest'] },
      { 'Fn::GetAtt': ['SecondDigest', 'Digest'] },
    ]);
  });

  it('lets each file say how long it is kept, and compresses', () => {
    expect(config().DefaultCacheBehavior).toMatchObject({ Compress: true, AllowedMethods: ['GET', 'HEAD'] });
    expect(only('AWS::CloudFront::CachePolicy').CachePolicyConfig).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: 31_536_000,
      ParametersInCacheKeyAndForwardedToOrigin: {
        EnableAcceptEncodingBrotli: true,
        EnableAcceptEncodingGzip: true,
      },
    });
  });
});

describe('the panel’s pages', () => {
  const headers = () =>
    panel('AWS::CloudFront::ResponseHeadersPolicy').find(({ logicalId }) => logicalId.includes('Pages'))
      ?.Properties.ResponseHeadersPolicyConfig;

  it('run only their own scripts, and reach only their own origin and the files of posts', () => {
    const policy = text(headers().SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy);
    const directives = new Map(
      policy
        .split('; ')
        .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
    );
    expect(directives.get('default-src')).toBe("'none'");
    expect(directives.get('script-src')).toBe("'self'");
    expect(directives.get('connect-src')).toMatch(/^'self' https:\/\/<.*MediaBucket.*RegionalDomainName.*>$/);
    expect(directives.get('img-src')).toMatch(/^'self' https:\/\/<.*MediaDistribution.*> blob: data:$/);
    expect(directives.get('frame-ancestors')).toBe("'none'");
    expect(directives.get('require-trusted-types-for')).toBe("'script'");
    expect(policy).not.toMatch(/unsafe|\*/);
  });

  it('are told to browsers as ours alone', () => {
    expect(headers().SecurityHeadersConfig).toMatchObject({
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: 'DENY', Override: true },
      ReferrerPolicy: { ReferrerPolicy: 'same-origin', Override: true },
      StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, Override: true },
    });
    expect(headers().CustomHeadersConfig.Items).toContainEqual({
      Header: 'Cross-Origin-Opener-Policy',
      Value: 'same-origin',
      Override: true,
    });
  });

  it('may have the styles that React Aria adds, as the installed version writes them', () => {
    const files = ['interactions/usePress', 'overlays/usePreventScroll'];
    const sources = files.map((file) =>
      readFileSync(
        join(import.meta.dirname, `../../node_modules/react-aria/dist/private/${file}.mjs`),
        'utf8',
      ),
    );
    const written = sources.map((source) => {
      const [, style = ''] = /\.textContent = `([^`]*)`\s*\.trim\(\)/.exec(source) ?? [];
      return style.replace(/\$\{\$\w+\$var\$PRESSABLE_ATTRIBUTE\}/, 'data-react-aria-pressable').trim();
    });
    expect(written).toEqual(addedStyles);
    expect(sources[0]).toContain("PRESSABLE_ATTRIBUTE = 'data-react-aria-pressable'");
    const policy = contentSecurityPolicy({ uploads: 'https://u', media: 'https://m' });
    expect(policy.match(/'sha256-/g)).toHaveLength(addedStyles.length);
  });
});

describe('the upload of the site', () => {
  const uploads = () => panel('Custom::CDKBucketDeployment');

  it('writes what has a hash first, then the page, and deletes nothing', () => {
    const [assets, page, ...others] = uploads();
    expect(others).toEqual([]);
    expect(assets?.Properties).toMatchObject({
      Prune: false,
      SystemMetadata: { 'cache-control': 'public, max-age=31536000, immutable' },
    });
    expect(page?.Properties).toMatchObject({ Prune: false, SystemMetadata: { 'cache-control': 'no-cache' } });
    expect(page?.DependsOn).toContain(assets?.logicalId);
    const keys = uploads().flatMap(({ Properties }) => Properties.SourceObjectKeys as string[]);
    const folders = keys.map((key) => join(service.directory, `asset.${key.replace('.zip', '')}`));
    expect(folders.map((folder) => readdirSync(folder))).toEqual([['assets'], ['index.html']]);
  });

  it('may read its two archives and write to the site’s bucket, and nothing else', () => {
    const role = panel('AWS::IAM::Role').find((each) => constructName(each) === 'Uploader');
    const statements: { Action: unknown; Resource: unknown }[] =
      role?.Properties.Policies[0].PolicyDocument.Statement;
    expect(statements.map(({ Action }) => Action)).toEqual([
      ['logs:CreateLogStream', 'logs:PutLogEvents'],
      's3:GetObject',
      's3:ListBucket',
      's3:PutObject',
    ]);
    const [, archives, bucket, objects] = statements.map(({ Resource }) => [Resource].flat());
    expect(archives).toHaveLength(2);
    for (const archive of archives ?? []) expect(JSON.stringify(archive)).toMatch(/\/[0-9a-f]{64}\.zip"/);
    expect(bucket?.map(text)).toEqual([expect.stringMatching(/^<SiteBucket\w*>$/)]);
    expect(objects?.map(text)).toEqual([expect.stringMatching(/^<SiteBucket\w*>\/\*$/)]);
    expect(panel('AWS::IAM::Policy')).toEqual([]);
  });
});

describe('signing in', () => {
  it('is at a user pool of our own with passkeys and codes by email, for invited people only', () => {
    const [pool] = service.ofType('AWS::Cognito::UserPool');
    expect(pool?.Properties).toMatchObject({
      UserPoolTier: 'ESSENTIALS',
      UsernameAttributes: ['email'],
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'EMAIL_OTP', 'WEB_AUTHN'] } },
    });
    const [domain] = service.ofType('AWS::Cognito::UserPoolDomain');
    expect(text(domain?.Properties.Domain)).toBe('herald-dev-<AWS::AccountId>');
    expect(domain?.Properties.ManagedLoginVersion).toBe(2);
  });

  it('lets nobody change an address: whoever took that of a colleague would be invited in their place', () => {
    const [pool] = service.ofType('AWS::Cognito::UserPool');
    expect(pool?.Properties.Schema).toEqual([{ Name: 'email', Required: true, Mutable: false }]);
  });

  it('uses a client that returns only to the panel, with a code', () => {
    const client = only('AWS::Cognito::UserPoolClient');
    expect(client).toMatchObject({
      GenerateSecret: false,
      AllowedOAuthFlows: ['code'],
      // A user pool refuses a request for a scope that its client does not have.
      AllowedOAuthScopes: signInScopes,
      ExplicitAuthFlows: ['ALLOW_USER_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
      PreventUserExistenceErrors: 'ENABLED',
    });
    const host = 'https://<PanelDistribution>';
    expect(client.CallbackURLs.map(text)).toEqual([`${host}/api/panel/sign-in/callback`]);
    expect(client.LogoutURLs.map(text)).toEqual([`${host}/signed-out`]);
    expect(panel('AWS::Cognito::ManagedLoginBranding')).toHaveLength(1);
  });

  it('is described in the parameter that the functions are told of', () => {
    const [parameter] = panel('AWS::SSM::Parameter')
      .map(({ Properties }) => Properties)
      .filter(({ Name }) => Name === '/herald/dev/sign-in');
    const value = text(parameter.Value);
    expect(value).toMatch(
      /^\{"issuer":"https:\/\/cognito-idp\.<AWS::Region>\.<AWS::URLSuffix>\/<.*UserPool.*>","clientId":"<\w*Client\w*>"\}$/,
    );
  });

  it('is in the panel, whose address another parameter has', () => {
    const [parameter] = panel('AWS::SSM::Parameter')
      .map(({ Properties }) => Properties)
      .filter(({ Name }) => Name === '/herald/dev/panel-url');
    expect(text(parameter.Value)).toBe('https://<PanelDistribution>');
  });
});

describe('a function at CloudFront', () => {
  type Handler = (event: object) => unknown;
  const handlerOf = (file: string) => {
    const code = readFileSync(join(import.meta.dirname, '../../infra/edge-functions', file), 'utf8');
    // CloudFront's limit: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html
    expect(code.length).toBeLessThan(10_240);
    return new Function(`${code}; return handler;`)() as Handler;
  };

  it.each([
    ['/', '/index.html'],
    ['/accounts', '/index.html'],
    ['/posts/0f343b09-3112/edit', '/index.html'],
    ['/v1.2/anything', '/index.html'],
    ['/index.html', '/index.html'],
    ['/assets/main-ABCDEFGH.js', '/assets/main-ABCDEFGH.js'],
    ['/favicon.ico', '/favicon.ico'],
  ])('shows %s as %s', (uri, expected) => {
    expect(handlerOf('pages.js')({ request: { uri } })).toEqual({ uri: expected });
  });

  it('says who the viewer is, whatever the viewer says, and passes on our cookies only', () => {
    const sent = { host: { value: 'panel.example' }, accept: { value: '*/*' } };
    const spoofed = Object.fromEntries(
      ['x-viewer-address', 'x-viewer-host', 'x-origin-secret'].map((name) => [name, { value: 'spoofed' }]),
    );
    const own = { '__Host-session': { value: 'a' }, '__Host-sign-in': { value: 'b' } };
    const others = { theme: { value: 'x,__Host-session=c' }, '\u2000__Host-session': { value: 'd' } };
    const request = { headers: { ...sent, ...spoofed }, cookies: { ...own, ...others } };
    expect(handlerOf('viewer-headers.js')({ request, viewer: { ip: '2001:db8::1' } })).toEqual({
      headers: {
        ...sent,
        'x-viewer-address': { value: '2001:db8::1' },
        'x-viewer-host': { value: 'panel.example' },
      },
      cookies: own,
    });
  });
});
