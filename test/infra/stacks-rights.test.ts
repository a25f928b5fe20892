import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiFunctions } from '../../infra/functions/api.ts';
import { workerFunctions } from '../../infra/functions/workers.ts';
import { platformNames } from '../../lib/platforms/contract/names.ts';
import { partitions } from '../../lib/table/partitions.ts';
import { mayUseTable, type Statement, statementsByFunction } from './support/roles.ts';
import { constructName, referenced, synthesizeOnce, type Templates } from './support/synthesize.ts';

let service: Templates;
let rightsOf: ReadonlyMap<string, readonly Statement[]>;

beforeAll(() => {
  service = synthesizeOnce();
  rightsOf = statementsByFunction(service);
});

describe('a function’s role', () => {
  it('belongs to this function alone', () => {
    const roles = service
      .ofType('AWS::Lambda::Function')
      .map(({ Properties }) => referenced(Properties.Role));
    expect(new Set(roles).size).toBe(roles.length);
  });

  it('is counted in the README', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
    const count = apiFunctions.length + workerFunctions.length;
    expect(readme).toContain(`Each of the ${count} functions has its own role.`);
  });

  it('contains all of its rights: there are no separate policies', () => {
    expect(service.ofType('AWS::IAM::Policy')).toEqual([]);
    for (const { Properties } of service.ofType('AWS::IAM::Role')) {
      expect(Properties.ManagedPolicyArns).toBeUndefined();
    }
  });

  it('allows only actions without wildcards', () => {
    for (const statement of allStatements()) {
      for (const action of statement.actions) expect(action).toMatch(/^[a-z0-9-]+:[A-Z][A-Za-z]+$/);
    }
  });

  it('names each resource, except those that are created at run time', () => {
    const wildcards = allStatements().flatMap(({ resources }) =>
      resources.filter((arn) => arn.includes('*')),
    );
    expect([...new Set(wildcards)].sort()).toEqual([
      '<MediaBucket.Arn>/incoming/*',
      '<MediaBucket.Arn>/media/*',
      '<Table.Arn>/stream/*',
      'arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/<SchedulerGroup>/*',
    ]);
  });

  it('never allows a scan or a change to the table’s definition', () => {
    const actions = allStatements().flatMap((statement) => statement.actions);
    expect(actions.filter((action) => /Scan|Table|PartiQL|Export/.test(action))).toEqual([]);
  });

  it('fits into the inline policies of a role', () => {
    // Without white space: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
    const longestPolicy = 10_240;
    // A reference becomes a name or an ARN, such as that of the table: about 100 characters.
    const resolved = (_name: string, value: unknown) => (isReference(value) ? 'x'.repeat(130) : value);
    for (const { Properties } of service.ofType('AWS::IAM::Role')) {
      expect(JSON.stringify(Properties.Policies, resolved).length).toBeLessThan(longestPolicy);
    }
  });

  it('allows writing to the function’s own log and no other', () => {
    for (const [name, statements] of rightsOf) {
      const logs = statements.filter(({ actions }) => actions.includes('logs:PutLogEvents'));
      expect(logs.flatMap(({ resources }) => resources)).toEqual([`<${name.replaceAll('-', '')}log.Arn>`]);
    }
  });
});

describe('the right to', () => {
  const holders: Record<string, readonly string[]> = {
    'ssm:GetParameter': [
      'accounts-claim-attempt',
      'accounts-connect',
      'accounts-create-board',
      'accounts-create-board-section',
      'accounts-creator-info',
      'accounts-disconnect',
      'accounts-find-mentions',
      'accounts-list-board-sections',
      'accounts-list-boards',
      'accounts-list-playlists',
      'accounts-list-posts',
      'accounts-post-picture',
      'comment-automations-create',
      'erase-workspaces',
      'grants-authorize',
      'mcp',
      'oauth-begin',
      'oauth-callback',
      'oauth-choose',
      'panel-begin-sign-in',
      'panel-check-session',
      'panel-finish-sign-in',
      'panel-sign-out',
      'platform-webhook',
      'platforms-withdraw',
      'posts-metrics',
      'publish-target',
      'read-numbers',
      'upload-target',
      'check-ahead',
      'refresh-tokens',
      'run-automation',
      'zernio',
    ],
    'kms:Decrypt': [
      'accounts-claim-attempt',
      'accounts-create-board',
      'accounts-create-board-section',
      'accounts-creator-info',
      'accounts-disconnect',
      'accounts-find-mentions',
      'accounts-list-board-sections',
      'accounts-list-boards',
      'accounts-list-playlists',
      'accounts-list-posts',
      'accounts-post-picture',
      'comment-automations-create',
      'deliver-slow-webhook',
      'deliver-webhook',
      'erase-workspaces',
      'mcp',
      'oauth-callback',
      'oauth-choose',
      'panel-check-session',
      'posts-metrics',
      'publish-target',
      'read-numbers',
      'upload-target',
      'check-ahead',
      'refresh-tokens',
      'run-automation',
      'zernio',
    ],
    'kms:GenerateDataKey': [
      'accounts-claim-attempt',
      'accounts-creator-info',
      'accounts-list-playlists',
      'mcp',
      'oauth-callback',
      'oauth-choose',
      'panel-check-session',
      'panel-finish-sign-in',
      'posts-metrics',
      'publish-target',
      'read-numbers',
      'upload-target',
      'check-ahead',
      'refresh-tokens',
      'run-automation',
      'webhooks-create',
      'webhooks-rotate-secret',
      'zernio',
    ],
    's3:PutObject': [
      'complete-upload',
      'import-media',
      'mcp',
      'media-complete',
      'media-parts',
      'media-presign',
      'media-store-preview',
      'render-media',
      'zernio',
    ],
    's3:AbortMultipartUpload': ['complete-upload', 'import-media', 'sweep-media'],
    's3:DeleteObject': ['complete-upload', 'erase-workspaces', 'render-media', 'sweep-media'],
    'cognito-idp:AdminCreateUser': ['panel-invite-member'],
    'cloudfront:CreateInvalidation': ['erase-workspaces', 'sweep-media'],
    'scheduler:CreateSchedule': ['keep-schedules', 'sweep'],
    'scheduler:DeleteSchedule': ['keep-schedules'],
    'iam:PassRole': ['keep-schedules', 'sweep'],
    'sqs:SendMessage': [
      'announce',
      'deliver-slow-webhook',
      'deliver-webhook',
      'import-media',
      'ingest-delivery',
      'keep-schedules',
      'platform-webhook',
      'publish-target',
      'upload-target',
      'relay',
      'run-automation',
      'sweep',
      'sweep-actions',
      'sweep-deliveries',
      'sweep-media',
      'webhooks-redeliver',
      'webhooks-redeliver-failed',
      'webhooks-send-test',
      'zernio',
    ],
  };

  it.each(Object.entries(holders))('%s is granted only to the functions that need it', (action, names) => {
    const found = [...rightsOf].filter(([, statements]) =>
      statements.some(({ actions }) => actions.includes(action)),
    );
    expect(found.map(([name]) => name).sort()).toEqual([...names].sort());
  });

  it('read a parameter covers only the platforms’ secrets of this stage, how people sign in, or where the panel is', () => {
    for (const [name, statements] of rightsOf) {
      const found = statements.filter(({ actions }) => actions.includes('ssm:GetParameter'));
      const other = name === 'grants-authorize' ? 'panel-url' : 'platforms\\/[a-z]+';
      const secret = name.startsWith('panel-') ? 'sign-in' : other;
      for (const arn of found.flatMap(({ resources }) => resources))
        expect(arn).toMatch(new RegExp(`:parameter\\/herald\\/dev\\/${secret}$`));
    }
  });

  it('read a platform’s secret covers only the platforms that a function serves', () => {
    const platformsOf = (name: string) =>
      (rightsOf.get(name) ?? [])
        .filter(({ actions }) => actions.includes('ssm:GetParameter'))
        .flatMap(({ resources }) => resources)
        .filter((arn) => arn.includes('/platforms/'))
        .map((arn) => arn.split('/').at(-1));
    const served = [...rightsOf.keys()].map((name) => [name, platformsOf(name)] as const);
    const ofSome = served.filter(
      ([, platforms]) => platforms.length > 0 && platforms.length < platformNames.length,
    );
    expect(Object.fromEntries(ofSome)).toEqual({
      'accounts-create-board': ['pinterest'],
      'accounts-create-board-section': ['pinterest'],
      'accounts-list-board-sections': ['pinterest'],
      'accounts-find-mentions': ['linkedin'],
      'accounts-list-boards': ['pinterest'],
      'accounts-list-playlists': ['youtube'],
      'accounts-list-posts': ['instagram'],
      'accounts-post-picture': ['instagram'],
      'accounts-creator-info': ['tiktok'],
      'comment-automations-create': ['instagram'],
      'platform-webhook': ['instagram'],
      'platforms-withdraw': ['facebook', 'instagram', 'threads'],
      'run-automation': ['instagram'],
    });
  });

  /** Purposes for which each function may seal (`GenerateDataKey`) and open (`Decrypt`). */
  const sealed: Readonly<Record<string, readonly string[]>> = {
    'accounts-claim-attempt': ['Decrypt choice', 'GenerateDataKey tokens'],
    'accounts-create-board': ['Decrypt tokens'],
    'accounts-create-board-section': ['Decrypt tokens'],
    'accounts-creator-info': ['Decrypt tokens', 'GenerateDataKey tokens'],
    'accounts-disconnect': ['Decrypt tokens'],
    'accounts-list-board-sections': ['Decrypt tokens'],
    'accounts-find-mentions': ['Decrypt tokens'],
    'accounts-list-boards': ['Decrypt tokens'],
    'accounts-list-playlists': ['Decrypt tokens', 'GenerateDataKey tokens'],
    'accounts-list-posts': ['Decrypt tokens'],
    'accounts-post-picture': ['Decrypt tokens'],
    'comment-automations-create': ['Decrypt tokens'],
    'deliver-slow-webhook': ['Decrypt signing'],
    'deliver-webhook': ['Decrypt signing'],
    mcp: ['Decrypt tokens', 'GenerateDataKey tokens'],
    'oauth-callback': ['Decrypt tokens', 'GenerateDataKey choice'],
    'oauth-choose': ['Decrypt choice', 'GenerateDataKey choice', 'GenerateDataKey tokens'],
    'panel-check-session': ['Decrypt session', 'GenerateDataKey session'],
    'panel-finish-sign-in': ['GenerateDataKey session'],
    'posts-metrics': ['Decrypt tokens', 'GenerateDataKey tokens'],
    'publish-target': ['Decrypt tokens', 'GenerateDataKey tokens'],
    'read-numbers': ['Decrypt tokens', 'GenerateDataKey tokens'],
    'upload-target': ['Decrypt tokens', 'GenerateDataKey tokens'],
    'erase-workspaces': ['Decrypt tokens'],
    'check-ahead': ['Decrypt tokens', 'GenerateDataKey tokens'],
    'refresh-tokens': ['Decrypt tokens', 'GenerateDataKey tokens'],
    'run-automation': ['Decrypt tokens', 'GenerateDataKey tokens'],
    'webhooks-create': ['GenerateDataKey signing'],
    'webhooks-rotate-secret': ['GenerateDataKey signing'],
    zernio: ['Decrypt tokens', 'GenerateDataKey signing', 'GenerateDataKey tokens'],
  };

  it('open a secret covers only the function’s own purpose: webhook functions open no tokens, and vice versa', () => {
    const found = [...rightsOf].flatMap(([name, statements]) => {
      const onKey = statements.filter(({ actions }) => actions.some((action) => action.startsWith('kms:')));
      const rights = onKey.flatMap(({ actions, condition }) =>
        actions.map((action) => `${action.slice('kms:'.length)} ${purposeIn(condition)}`),
      );
      return rights.length > 0 ? [[name, rights.sort()] as const] : [];
    });
    expect(Object.fromEntries(found)).toEqual(sealed);
  });

  it('seal or open a secret requires the workspace or the person as context, and covers only the one key', () => {
    for (const action of ['kms:Decrypt', 'kms:GenerateDataKey']) {
      for (const { condition, resources } of statementsWith(action)) {
        const owner = purposeIn(condition) === 'session' ? 'person' : 'workspace';
        expect(condition).toMatchObject({ StringLike: { [`kms:EncryptionContext:${owner}`]: '?*' } });
        expect(resources).toEqual(['<TokenKey.Arn>']);
      }
    }
    expect(
      allStatements().flatMap(({ actions }) => actions.filter((name) => /^kms:|^ssm:/.test(name))),
    ).not.toContain('kms:Encrypt');
  });

  it('share a data key is granted only to functions that both seal and open tokens: others could not use it', () => {
    for (const [name, statements] of rightsOf) {
      const rights = sealed[name] ?? [];
      const mayUseIt = rights.includes('Decrypt tokens') && rights.includes('GenerateDataKey tokens');
      for (const action of ['GetItem', 'PutItem'])
        expect([name, mayUseTable(statements, action, ['SEALING-KEYS'])]).toEqual([name, mayUseIt]);
    }
  });

  it('send a message covers only the queues that a function sends to', () => {
    const queuesOf = (name: string) =>
      (rightsOf.get(name) ?? [])
        .filter(({ actions }) => actions.includes('sqs:SendMessage'))
        .flatMap(({ resources }) => resources)
        .sort();
    expect(queuesOf('publish-target')).toEqual([
      '<PublishDeadLetters.Arn>',
      '<PublishQueue.Arn>',
      '<RenderMediaQueue.Arn>',
    ]);
    expect(queuesOf('upload-target')).toEqual([
      '<RenderMediaQueue.Arn>',
      '<UploadDeadLetters.Arn>',
      '<UploadQueue.Arn>',
    ]);
    expect(queuesOf('sweep')).toEqual(['<ChainQueue.Arn>', '<PublishQueue.Arn>', '<UploadQueue.Arn>']);
    expect(queuesOf('relay')).toEqual([
      '<ChainQueue.Arn>',
      '<DistantWakeQueue.Arn>',
      '<ImportQueue.Arn>',
      '<PublishQueue.Arn>',
      '<UploadQueue.Arn>',
      '<relaydeadletters.Arn>',
    ]);
    expect(queuesOf('keep-schedules')).toEqual(['<PublishQueue.Arn>', '<UploadQueue.Arn>']);
    expect(queuesOf('import-media')).toEqual(['<ImportQueue.Arn>']);
    expect(queuesOf('sweep-media')).toEqual(['<ImportQueue.Arn>']);
    expect(queuesOf('announce')).toEqual(['<WebhookQueue.Arn>', '<announcedeadletters.Arn>']);
    expect(queuesOf('deliver-webhook')).toEqual(['<SlowWebhookQueue.Arn>', '<WebhookQueue.Arn>']);
    expect(queuesOf('sweep-deliveries')).toEqual(['<SlowWebhookQueue.Arn>', '<WebhookQueue.Arn>']);
    expect(queuesOf('webhooks-send-test')).toEqual(['<WebhookQueue.Arn>']);
  });

  it('use the table covers only reading links and counting clicks for the redirect', () => {
    const onLeadingKeys = (pattern: string) => ({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [pattern] },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    });
    const onTable = (rightsOf.get('redirect') ?? []).filter(
      ({ effect, actions }) => effect === 'Allow' && !actions[0]?.startsWith('logs:'),
    );
    expect(onTable).toEqual([
      {
        effect: 'Allow',
        actions: ['dynamodb:GetItem'],
        resources: ['<Table.Arn>'],
        condition: onLeadingKeys('LINK#*'),
      },
      {
        effect: 'Allow',
        actions: ['dynamodb:UpdateItem'],
        resources: ['<Table.Arn>'],
        condition: onLeadingKeys('CLICKS#*'),
      },
    ]);
  });

  it('pass a role covers only the Scheduler’s role', () => {
    const passScheduler = {
      effect: 'Allow',
      actions: ['iam:PassRole'],
      resources: ['<SchedulerRole.Arn>'],
      condition: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
    };
    expect(statementsWith('iam:PassRole')).toEqual([passScheduler, passScheduler]);
  });
});

describe('the bucket’s objects', () => {
  it.each([
    ['media-presign', ['s3:PutObject <MediaBucket.Arn>/incoming/*']],
    [
      'import-media',
      ['s3:AbortMultipartUpload <MediaBucket.Arn>/incoming/*', 's3:PutObject <MediaBucket.Arn>/incoming/*'],
    ],
    [
      'media-parts',
      [
        's3:ListMultipartUploadParts <MediaBucket.Arn>/incoming/*',
        's3:PutObject <MediaBucket.Arn>/incoming/*',
      ],
    ],
    [
      'media-complete',
      [
        's3:GetObject <MediaBucket.Arn>/incoming/*',
        's3:ListMultipartUploadParts <MediaBucket.Arn>/incoming/*',
        's3:PutObject <MediaBucket.Arn>/incoming/*',
      ],
    ],
    ['media-store-preview', ['s3:PutObject <MediaBucket.Arn>/media/*']],
    ['publish-target', ['s3:GetObject <MediaBucket.Arn>/media/*']],
    ['upload-target', ['s3:GetObject <MediaBucket.Arn>/media/*']],
    [
      'render-media',
      [
        's3:DeleteObject <MediaBucket.Arn>/media/*',
        's3:GetObject <MediaBucket.Arn>/media/*',
        's3:PutObject <MediaBucket.Arn>/media/*',
      ],
    ],
    [
      'erase-workspaces',
      ['s3:DeleteObject <MediaBucket.Arn>/incoming/*', 's3:DeleteObject <MediaBucket.Arn>/media/*'],
    ],
    [
      'sweep-media',
      [
        's3:AbortMultipartUpload <MediaBucket.Arn>/incoming/*',
        's3:DeleteObject <MediaBucket.Arn>/incoming/*',
        's3:DeleteObject <MediaBucket.Arn>/media/*',
      ],
    ],
    [
      'complete-upload',
      [
        's3:AbortMultipartUpload <MediaBucket.Arn>/incoming/*',
        's3:DeleteObject <MediaBucket.Arn>/incoming/*',
        's3:DeleteObject <MediaBucket.Arn>/media/*',
        's3:GetObject <MediaBucket.Arn>/incoming/*',
        's3:GetObject <MediaBucket.Arn>/media/*',
        's3:PutObject <MediaBucket.Arn>/media/*',
      ],
    ],
  ])('%s may use only those that it needs', (name, expected) => {
    const rights = (rightsOf.get(name) ?? []).flatMap(({ actions, resources }) =>
      actions.flatMap((action) => resources.map((resource) => `${action} ${resource}`)),
    );
    const objects = rights.filter((right) => right.includes('<MediaBucket.Arn>/'));
    expect(objects.sort()).toEqual(expected);
  });
});

describe('writing to the table', () => {
  const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'];
  /** The functions that may write a partition, alone or together with one that they may write. */
  const writersOf = (partitionKey: string) =>
    [...rightsOf].flatMap(([name, statements]) =>
      writes.some((action) => mayUseTable(statements, action, [partitionKey])) ? [name] : [],
    );

  it('creates an API key only in the panel, which no API key may use', () => {
    expect(writersOf('KEY#0f343b0931126a20f133d67c2b018a3b').sort()).toEqual([
      'panel-authorize-client',
      'panel-create-key',
      'panel-revoke-key',
      'panel-rotate-key',
    ]);
  });

  it('changes tokens of clients at their endpoint only, which may neither begin a grant nor change what it may do', () => {
    const tokens = 'GRANT#01890a5d-ac96-774b-bcce-b302099a8057';
    expect(writersOf(tokens).sort()).toEqual(['erase-workspaces', 'grants-tokens', 'panel-authorize-client']);
    const statements = rightsOf.get('grants-tokens') ?? [];
    for (const action of ['PutItem', 'DeleteItem', 'BatchWriteItem'])
      expect(mayUseTable(statements, action, [tokens])).toBe(false);
    for (const partitionKey of ['KEY#0f34', 'PERSON#1', 'SESSION#1', 'WORKSPACE#1'])
      for (const action of writes) expect(mayUseTable(statements, action, [partitionKey])).toBe(false);
  });

  it('creates a session only in functions of the sign-in, and a membership only where a person accepts an invitation', () => {
    const mayPut = (partitionKey: string) =>
      [...rightsOf].flatMap(([name, statements]) =>
        ['PutItem', 'UpdateItem', 'BatchWriteItem'].some((action) =>
          mayUseTable(statements, action, [partitionKey]),
        )
          ? [name]
          : [],
      );
    expect(mayPut('SESSION#0f343b0931126a20f133d67c2b018a3b').sort()).toEqual([
      // Notes the time of the next check. No policy tells a change of an item from a new one.
      'panel-check-session',
      'panel-finish-sign-in',
    ]);
    expect(mayPut('PERSON#5f1d7a84-09cd-8a6c-9a3e-0c4ff8f4a101').sort()).toEqual([
      'panel-accept-invitation',
      'panel-edit-member',
      // Lists the session of the person.
      'panel-finish-sign-in',
    ]);
  });

  it('is limited to counters in functions that anybody may call without a key', () => {
    const mayWrite = (name: string) => partitions.filter((prefix) => writersOf(`${prefix}x`).includes(name));
    expect(
      Object.fromEntries(['openapi', 'not-found', 'redirect'].map((name) => [name, mayWrite(name)])),
    ).toEqual({
      openapi: ['RATE#'],
      'not-found': ['RATE#'],
      redirect: ['CLICKS#'],
    });
  });

  it('always names partition keys: a request without any is refused', () => {
    for (const [name, statements] of rightsOf) {
      for (const action of writes) {
        for (const keys of [undefined, []])
          expect({ name, action, isAllowed: mayUseTable(statements, action, keys) }).toEqual({
            name,
            action,
            isAllowed: false,
          });
      }
    }
  });
});

describe('the environment', () => {
  it('names a resource only if the function may use it', () => {
    for (const handler of service.ofType('AWS::Lambda::Function')) {
      const name = constructName(handler);
      const variables = Object.keys(handler.Properties.Environment.Variables);
      const rights = [...apiFunctions, ...workerFunctions].find(
        (definition) => definition.name === name,
      )?.rights;
      expect(variables.includes('TOKEN_KEY_ID')).toBe(Boolean(rights?.tokens));
      expect(variables.includes('MEDIA_BUCKET')).toBe(Boolean(rights?.media));
      expect(variables.includes('PLATFORM_PARAMETER_PREFIX')).toBe(Boolean(rights?.platformSecrets));
      expect(variables.includes('SIGN_IN_PARAMETER')).toBe(Boolean(rights?.signIn));
      expect(variables.includes('TABLE_NAME')).toBe(
        Boolean(rights?.reads ?? rights?.writes ?? rights?.indexes),
      );
    }
  });
});

describe('the Scheduler’s role', () => {
  it('serves schedules of this group in this account only', () => {
    const role = service
      .ofType('AWS::IAM::Role')
      .find(({ Properties }) => JSON.stringify(Properties.AssumeRolePolicyDocument).includes('scheduler.'));
    expect(role?.Properties.AssumeRolePolicyDocument.Statement[0].Condition).toEqual({
      StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
      ArnLike: { 'aws:SourceArn': { 'Fn::GetAtt': [expect.stringContaining('SchedulerGroup'), 'Arn'] } },
    });
  });
});

function allStatements(): readonly Statement[] {
  return [...rightsOf.values()].flat();
}

function statementsWith(action: string): readonly Statement[] {
  return allStatements().filter(({ actions }) => actions.includes(action));
}

/** Returns true if CloudFormation replaces this value by a text. */
function isReference(value: unknown): boolean {
  const [name = ''] = value instanceof Object ? Object.keys(value) : [];
  return name === 'Ref' || name.startsWith('Fn::');
}

function purposeIn(condition: unknown): unknown {
  return (condition as { StringEquals?: Record<string, unknown> } | undefined)?.StringEquals?.[
    'kms:EncryptionContext:purpose'
  ];
}
