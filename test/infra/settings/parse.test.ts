import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../../infra/settings/parse.ts';
import { findStage } from '../../../infra/stages.ts';

const parse = (production: object) =>
  parseSettings(JSON.stringify({ stages: { production } }), 'herald.config.json');
const problemsOf = (production: object): string[] => {
  try {
    parse(production);
    return [];
  } catch (error) {
    return (error as Error).message
      .split('\n')
      .map((line) => line.replace('herald.config.json: stages.production.', ''));
  }
};

const zone = { id: 'Z0123456789ABCDEFGHIJ', name: 'example.com' };
const streamOf = (table: string) =>
  `arn:aws:dynamodb:eu-central-1:111111111111:table/${table}/stream/2027-01-01T00:00:00.000`;
const certificateIn = (region: string, account = '111111111111') =>
  `arn:aws:acm:${region}:${account}:certificate/11111111-2222-3333-4444-555555555555`;

describe('the settings file', () => {
  it('replaces built-in settings field by field, and leaves other stages alone', () => {
    const own = parse({ rateLimitPerMinute: 7, region: 'eu-central-1' });
    expect(findStage('production', own)).toEqual({
      ...findStage('production'),
      rateLimitPerMinute: 7,
      region: 'eu-central-1',
    });
    expect(findStage('dev', own)).toEqual(findStage('dev'));
  });

  it('has an example that is valid', () => {
    const example = readFileSync(join(import.meta.dirname, '../../../infra/settings/example.json'), 'utf8');
    expect(Object.keys(parseSettings(example, 'example.json'))).toEqual(['dev', 'production']);
  });

  it.each<[what: string, production: object, problems: string[]]>([
    [
      'a misspelt setting',
      { apiDomian: { name: 'api.example.com' } },
      ['apiDomian is not a setting; did you mean apiDomain?'],
    ],
    [
      'a misspelt field of a setting',
      { apiDomain: { name: 'api.example.com', hostedzone: zone } },
      ['apiDomain.hostedzone is not a setting; did you mean hostedZone?'],
    ],
    ['a setting that is like no other', { colour: 'red' }, ['colour is not a setting']],
    ['a number as text', { rateLimitPerMinute: '600' }, ['rateLimitPerMinute must be a number']],
    ['a limit of none', { rateLimitPerMinute: 0 }, ['rateLimitPerMinute must be at least 1']],
    ['an account without all digits', { account: '1234' }, ['account must have 12 digits']],
    [
      'a zone in place of a Region',
      { region: 'eu-central-1a' },
      ['region must be the name of a Region, such as eu-central-1'],
    ],
    ['a bad address', { operatorEmail: 'operators' }, ['operatorEmail must be an email address']],
    [
      'a URL as a host',
      { linkDomain: { name: 'https://go.example.com', hostedZone: zone } },
      ['linkDomain.name must be a host name in lower case without a scheme, such as api.example.com'],
    ],
    [
      'a domain with neither certificate nor zone',
      { apiDomain: { name: 'api.example.com' } },
      ['apiDomain.certificateArn is required, unless hostedZone is given'],
    ],
    [
      'a zone of another domain',
      { apiDomain: { name: 'api.example.net', hostedZone: zone } },
      ['apiDomain.hostedZone.name must be api.example.net or a domain above it, not example.com'],
    ],
    [
      'a certificate to create for CloudFront outside us-east-1',
      { region: 'eu-central-1', mediaDomain: { name: 'media.example.com', hostedZone: zone } },
      [
        'mediaDomain.certificateArn is required: CloudFront takes certificates only from us-east-1, and the stage creates them in its own Region (region: eu-central-1)',
      ],
    ],
    [
      'a certificate for CloudFront of another Region',
      { panelDomain: { name: 'panel.example.com', certificateArn: certificateIn('eu-central-1') } },
      ['panelDomain.certificateArn must be of us-east-1, for CloudFront'],
    ],
    [
      'a certificate for the API of another Region or account',
      {
        account: '222222222222',
        region: 'eu-west-1',
        apiDomain: { name: 'api.example.com', certificateArn: certificateIn('us-east-1') },
      },
      [
        'apiDomain.certificateArn must be of eu-west-1, the Region of the stage',
        'apiDomain.certificateArn must be of the account 222222222222, that of the stage',
      ],
    ],
    [
      'two hosts with one name',
      {
        apiDomain: { name: 'api.example.com', hostedZone: zone },
        linkDomain: { name: 'api.example.com', hostedZone: zone },
      },
      ['linkDomain.name is that of apiDomain: each host needs a name of its own'],
    ],
    [
      'mail from nowhere',
      { mail: { fromAddress: 'a@example.com' } },
      ['mail.region is required, because the stage has no region either'],
    ],
    [
      'mail with an identity provider of its own',
      { region: 'eu-central-1', mail: { fromAddress: 'a@example.com' }, signIn: 'own' },
      ['mail has no effect with signIn: own, whose identity provider sends its own mail'],
    ],
    [
      'copies in the Region of the stage itself',
      { region: 'eu-central-1', backupRegion: 'eu-central-1' },
      ['backupRegion must be another Region than region'],
    ],
    [
      'the stream of another table',
      { restoredTable: { tableName: 'restored', streamArn: streamOf('other') } },
      ['restoredTable.streamArn must be of the table restored, not other'],
    ],
    [
      'a table and a key of another Region',
      {
        region: 'eu-west-1',
        restoredTable: { tableName: 'restored', streamArn: streamOf('restored') },
        restoredTokenKeyArn: 'arn:aws:kms:us-east-1:111111111111:key/mrk-1',
      },
      [
        'restoredTable.streamArn must be of eu-west-1, the Region of the stage',
        'restoredTokenKeyArn must be of eu-west-1, the Region of the stage: there is a replica of the key',
      ],
    ],
    [
      'more publishing than the account allows',
      { accountConcurrency: 200, publishConcurrency: 200 },
      ['publishConcurrency must be less than the 200 of accountConcurrency'],
    ],
    [
      'a web ACL of another account',
      {
        account: '111111111111',
        webAcls: {
          panel: 'arn:aws:wafv2:us-east-1:222222222222:global/webacl/front/1',
        },
      },
      ['webAcls.panel must be of the account 111111111111, that of the stage'],
    ],
    [
      'a web ACL that is not for CloudFront',
      { webAcls: { media: 'arn:aws:wafv2:eu-west-1:111111111111:regional/webacl/front/1' } },
      [expect.stringMatching(/^webAcls\.media must be the ARN of a web ACL for CloudFront/)] as string[],
    ],
    [
      'reserves that leave too little',
      { accountConcurrency: 110, reservedConcurrency: { relay: 5, redirect: 6 } },
      ['reservedConcurrency must leave at least 100 of the 110 of accountConcurrency to all other functions'],
    ],
    [
      'an unknown retention of logs',
      { logRetentionDays: 8 },
      [expect.stringMatching(/^logRetentionDays must be one of 1, 3, 5, 7, /)] as string[],
    ],
    ['two mistakes', { account: 1, region: 2 }, ['account must be a string', 'region must be a string']],
  ])('is refused for %s', (_what, production, problems) => {
    expect(problemsOf(production)).toEqual(problems);
  });

  it.each([
    ['text that is no JSON', '{', /^settings\.json: is not valid JSON: /],
    ['an unknown stage', '{"stages":{"prod":{}}}', /^settings\.json: stages\.prod is not a setting$/],
    [
      'an unknown part',
      '{"stages":{},"stage":{}}',
      /^settings\.json: stage is not a setting; did you mean stages\?$/,
    ],
    ['no stages', '{}', /^settings\.json: stages is required$/],
    ['a list', '[]', /^settings\.json: it must be an object$/],
  ])('is refused for %s', (_what, text, message) => {
    expect(() => parseSettings(text, 'settings.json')).toThrow(message);
  });

  it.each([
    ['a zone, whose certificates are created', { apiDomain: { name: 'example.com', hostedZone: zone } }],
    [
      'a zone for CloudFront in us-east-1',
      { region: 'us-east-1', mediaDomain: { name: 'media.example.com', hostedZone: zone } },
    ],
    [
      'certificates, with records to set by hand',
      {
        region: 'eu-west-1',
        account: '111111111111',
        apiDomain: { name: 'api.example.com', certificateArn: certificateIn('eu-west-1') },
        panelDomain: { name: 'panel.example.com', certificateArn: certificateIn('us-east-1') },
      },
    ],
  ])('accepts domains with %s', (_what, production) => {
    expect(problemsOf(production)).toEqual([]);
  });
});
