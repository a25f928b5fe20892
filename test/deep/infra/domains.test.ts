import { readAssembly } from '@herald/local-cloud/assembly/assembly.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findStage } from '../../../infra/stages.ts';
import {
  production,
  type Synthesized,
  synthesize,
  synthesizeOnce,
  type TemplateResource,
} from '../../infra/support/synthesize.ts';
import { variables } from '../../infra/support/variables.ts';

const zone = { id: 'Z0123456789ABCDEFGHIJ', name: 'example.com' };
const account = '111111111111';
const certificateArn = `arn:aws:acm:us-east-1:${account}:certificate/11111111-2222-3333-4444-555555555555`;
const domainNames = ['api', 'links', 'media', 'panel'].map((name) => `${name}.example.com`);
const [apiName = '', linkName = '', mediaName = '', panelName = ''] = domainNames;

/** The same hosts: once in a hosted zone, which also gets the certificates, and once with DNS elsewhere. */
let withZone: Synthesized;
const inZone = {
  stage: {
    ...production,
    account,
    region: 'us-east-1',
    apiDomain: { name: apiName, hostedZone: zone },
    linkDomain: { name: linkName, hostedZone: zone },
    mediaDomain: { name: mediaName, hostedZone: zone },
    panelDomain: { name: panelName, hostedZone: zone },
    uploadOrigins: ['https://app.example.com'],
  },
};
let byHand: Synthesized;

beforeAll(() => {
  withZone = synthesize(inZone);
  byHand = synthesize({
    stage: {
      ...findStage('dev'),
      apiDomain: { name: apiName, certificateArn },
      linkDomain: { name: linkName, certificateArn },
      mediaDomain: { name: mediaName, certificateArn },
      panelDomain: { name: panelName, certificateArn },
    },
  });
});
afterAll(() => {
  withZone.remove();
  byHand.remove();
});

const without = () => synthesizeOnce();
const addresses = {
  endpointUrl: 'http://127.0.0.1:1',
  apiUrl: 'http://127.0.0.1:2',
  edgeUrl: () => 'http://127.0.0.1:3',
};
const text = (value: unknown): string => JSON.stringify(value);
const one = (service: Pick<Synthesized, 'ofType'>, type: string, id: RegExp): TemplateResource => {
  const [found, ...others] = service.ofType(type).filter(({ logicalId }) => id.test(logicalId));
  expect(others).toEqual([]);
  if (found === undefined) throw new Error(`no ${type} ${id}`);
  return found;
};

describe('with domains of the team', () => {
  it('the functions name them in links, redirect URIs and files', () => {
    for (const service of [withZone, byHand]) {
      expect(variables(service, 'PUBLIC_BASE_URL')).toEqual([text(`https://${apiName}`)]);
      expect(variables(service, 'LINK_BASE_URL')).toEqual([text(`https://${linkName}`)]);
      expect(variables(service, 'MEDIA_BASE_URL')).toEqual([text(`https://${mediaName}`)]);
    }
  });

  it('the outputs say where the service is, and which redirect URI to register', () => {
    expect(withZone.outputs('api')).toMatchObject({
      ApiUrl: `https://${apiName}`,
      OAuthRedirectUrl: `https://${apiName}/oauth/<platform>/callback`,
    });
    expect(withZone.outputs('panel')).toMatchObject({ PanelUrl: `https://${panelName}` });
    expect(withZone.outputs('data')).toMatchObject({ MediaUrl: `https://${mediaName}` });
  });

  it('API and links are served at their domains, over IPv6 too', () => {
    const mapped = withZone.ofType('AWS::ApiGatewayV2::ApiMapping').map(({ Properties, DependsOn }) => {
      expect(DependsOn).toContainEqual(expect.stringMatching(/DefaultStage/));
      return [Properties.DomainName, Properties.Stage, Properties.ApiMappingKey];
    });
    expect(mapped).toEqual([
      [apiName, '$default', undefined],
      [linkName, '$default', undefined],
    ]);
    for (const { Properties } of withZone.ofType('AWS::ApiGatewayV2::DomainName'))
      expect(Properties.DomainNameConfigurations).toMatchObject([
        { EndpointType: 'REGIONAL', IpAddressType: 'dualstack' },
      ]);
  });

  it('the addresses that AWS gives keep working, because links that were sent have them', () => {
    for (const service of [withZone, byHand, without()]) {
      const [api, ...others] = service.ofType('AWS::ApiGatewayV2::Api');
      expect(others).toEqual([]);
      expect(api?.Properties).not.toHaveProperty('DisableExecuteApiEndpoint');
    }
  });

  it('CloudFront serves files and panel at them, with TLS 1.2 or later', () => {
    for (const [id, name] of [
      [/^MediaDistribution$/, mediaName],
      [/^PanelDistribution$/, panelName],
    ] as const) {
      expect(one(withZone, 'AWS::CloudFront::Distribution', id).Properties.DistributionConfig).toMatchObject({
        Aliases: [name],
        ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021' },
      });
      expect(
        one(byHand, 'AWS::CloudFront::Distribution', id).Properties.DistributionConfig.ViewerCertificate,
      ).toMatchObject({ AcmCertificateArn: certificateArn });
    }
  });

  it('the panel passes requests on to the address that AWS gives, so its way does not depend on DNS', () => {
    const { Origins } = one(withZone, 'AWS::CloudFront::Distribution', /^Panel/).Properties
      .DistributionConfig;
    expect(text(Origins)).toContain('.execute-api.');
    expect(text(Origins)).not.toContain(apiName);
  });

  it('people can sign in at both hosts of the panel, and at no other', () => {
    const { CallbackURLs, LogoutURLs } = one(byHand, 'AWS::Cognito::UserPoolClient', /Client/).Properties;
    for (const urls of [CallbackURLs, LogoutURLs]) {
      expect(urls).toHaveLength(2);
      expect(text(urls[0])).toContain(`https://${panelName}/`);
      expect(text(urls[1])).toContain('PanelDistribution');
    }
  });

  it('pages of the panel show files of the media domain, and may upload', () => {
    const headers = one(withZone, 'AWS::CloudFront::ResponseHeadersPolicy', /Pages/).Properties;
    const { ContentSecurityPolicy } =
      headers.ResponseHeadersPolicyConfig.SecurityHeadersConfig.ContentSecurityPolicy;
    expect(text(ContentSecurityPolicy)).toContain(`img-src 'self' https://${mediaName} blob: data:`);
    const [rule] = one(withZone, 'AWS::S3::Bucket', /^MediaBucket$/).Properties.CorsConfiguration.CorsRules;
    expect(rule.AllowedOrigins).toEqual(['https://app.example.com', `https://${panelName}`]);
  });

  it('a hosted zone gets certificates, and records for IPv4 and IPv6', () => {
    const certificates = withZone.ofType('AWS::CertificateManager::Certificate');
    expect(certificates.map(({ Properties }) => Properties.DomainName).sort()).toEqual(
      domainNames.toSorted(),
    );
    for (const { Properties } of certificates)
      expect(Properties).toMatchObject({
        ValidationMethod: 'DNS',
        DomainValidationOptions: [{ DomainName: Properties.DomainName, HostedZoneId: zone.id }],
      });
    const records = withZone.ofType('AWS::Route53::RecordSet');
    expect(records.map(({ Properties }) => `${Properties.Type} ${Properties.Name}`).sort()).toEqual(
      domainNames.flatMap((name) => [`A ${name}.`, `AAAA ${name}.`]).sort(),
    );
    for (const { Properties } of records) expect(Properties.HostedZoneId).toBe(zone.id);
    expect(recordOutputs(withZone)).toEqual([]);
  });

  it('without a zone, outputs say which records to set, and nothing of Route 53 is created', () => {
    expect(byHand.ofType('AWS::CertificateManager::Certificate')).toEqual([]);
    expect(byHand.ofType('AWS::Route53::RecordSet')).toEqual([]);
    const outputs = recordOutputs(byHand);
    expect(outputs).toHaveLength(4);
    for (const name of domainNames) expect(outputs.join('\n')).toContain(`${name} CNAME `);
  });

  it('the stacks are for the account and Region of the settings alone', () => {
    expect(withZone.environments()).toEqual([`aws://${account}/us-east-1`]);
    expect(byHand.environments()).toEqual(['aws://unknown-account/unknown-region']);
  });

  it('the local cloud serves the same routes, at addresses of this machine', () => {
    const [own, others] = [byHand, without()].map(({ directory }) => readAssembly({ directory, addresses }));
    expect(own?.api).toEqual(others?.api);
    expect(own?.distributions.map(({ domainName }) => domainName)).toEqual(
      others?.distributions.map(({ domainName }) => domainName),
    );
  });
});

const recordOutputs = (service: Synthesized): string[] =>
  Object.keys(service.stacks).flatMap((stack) =>
    Object.values(service.outputs(stack))
      .map(text)
      .filter((value) => value.includes(' CNAME ')),
  );
