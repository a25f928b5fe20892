import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CfnResource } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPinned } from '../../../infra/constructs/pin-logical-id.ts';
import { apiFunctions } from '../../../infra/functions/api.ts';
import { workerFunctions } from '../../../infra/functions/workers.ts';
import { find, ids, rememberingTypes } from '../../infra/support/stateful.ts';
import {
  devWithAlarms,
  production as productionStage,
  type Synthesized,
  synthesize,
  synthesizeOnce,
  type TemplateResource,
  type Templates,
} from '../../infra/support/synthesize.ts';

let dev: Templates;
let production: Templates;

beforeAll(() => {
  dev = synthesizeOnce();
  production = synthesizeOnce('production');
});

describe('resources that hold data', () => {
  it('do not change if a setting changes or a function is added or changed', () => {
    const [first] = apiFunctions;
    const changed = synthesize({
      stage: { ...devWithAlarms, rateLimitPerMinute: 7 },
      api: [
        ...apiFunctions,
        {
          name: 'posts-archive',
          routes: ['POST /v1/posts/{id}/archive'],
          entry: first?.entry ?? '',
          rights: {
            writes: { UpdateItem: ['POST#'] },
            media: ['GetObject media'],
            tokens: ['GenerateDataKey tokens'],
          },
        },
      ],
      workers: workerFunctions.map((worker) => ({ ...worker, memoryMegabytes: 1024 })),
    });
    changed.remove();
    for (const id of ids) expect(find(changed, id)).toEqual(find(dev, id));
  });

  it('are still exported if no function uses them any more', () => {
    const readers = workerFunctions.map((worker) => ({ ...worker, rights: {}, settings: [] }));
    const idle = synthesize({ api: [], workers: readers });
    idle.remove();
    expect(idle.exports('data')).toEqual(expect.arrayContaining([...dev.exports('data')]));
  });

  it('are still exported if alarms and dashboard are turned off: stacks that import them are deployed later', () => {
    const silent = synthesize({ stage: { ...devWithAlarms, hasAlarms: false } });
    silent.remove();
    for (const stack of ['data', 'api'])
      expect(silent.exports(stack)).toEqual(expect.arrayContaining([...dev.exports(stack)]));
  });
});

it('resources that outlive a deployment keep their ids if their constructs move in the tree', () => {
  const found: string[] = [];
  synthesize({
    change: ({ data }) => {
      for (const construct of data.node.root.node.findAll()) {
        if (!CfnResource.isCfnResource(construct) || !rememberingTypes.has(construct.cfnResourceType))
          continue;
        if (!isPinned(construct)) found.push(construct.node.path);
      }
    },
  }).remove();
  expect(found).toEqual([]);
});

describe('a stage with a second Region', () => {
  const stage = { ...productionStage, backupRegion: 'eu-central-1' };
  let service: Synthesized;
  beforeAll(() => {
    service = synthesize({ stage });
  });
  afterAll(() => {
    service.remove();
  });

  it('has no findings', () => {
    const checked = synthesize({ stage, checked: true });
    checked.remove();
    expect(checked.findings).toEqual([]);
  }, 390_000);

  it('keeps the logical ids of what holds data', () => {
    for (const id of ids) expect(find(service, id).Type).toBe(find(production, id).Type);
  });

  it('has no name there that the whole stage would have, should it be deployed in that Region too', () => {
    const there = synthesize({ stage: { ...stage, region: 'eu-central-1', backupRegion: 'us-east-1' } });
    there.remove();
    const namesOf = (resources: readonly TemplateResource[] = []) =>
      resources.flatMap(({ Properties: { BackupVaultName, AliasName, BucketName } }) =>
        [BackupVaultName, AliasName, BucketName].flatMap((name) => (name ? JSON.stringify(name) : [])),
      );
    const { backup = [], ...ofStage } = there.stacks;
    const names = namesOf([...Object.values(ofStage).flat(), ...(service.stacks['backup'] ?? [])]);
    expect(names.length).toBeGreaterThan(4);
    expect(new Set(names).size).toBe(names.length);
    // Names of buckets are global.
    const buckets = namesOf([...backup, ...(service.stacks['backup'] ?? [])]).filter((name) =>
      name.includes('media-copies'),
    );
    expect(new Set(buckets).size).toBe(2);
  });

  it('backs the table up daily and copies each backup to the vault there', () => {
    const [plan] = service.ofType('AWS::Backup::BackupPlan');
    const [rule] = plan?.Properties.BackupPlan.BackupPlanRule ?? [];
    expect(rule.Lifecycle).toEqual({ DeleteAfterDays: 35 });
    expect(rule.CopyActions[0].Lifecycle).toEqual({ DeleteAfterDays: 35 });
    const destination = JSON.stringify(rule.CopyActions[0].DestinationBackupVaultArn);
    expect(destination).toContain(':backup:eu-central-1:');
    expect(destination).toContain(':backup-vault:herald-production-copies');
    const vaults = service.ofType('AWS::Backup::BackupVault').map((each) => each.Properties.BackupVaultName);
    expect(vaults).toHaveLength(2);
    expect(vaults).toContain('herald-production-copies');
  });

  it('copies public files to a bucket there, and ends the versions of deleted ones after a day', () => {
    const { Properties } = find(service, 'MediaBucket');
    expect(Properties.VersioningConfiguration).toEqual({ Status: 'Enabled' });
    const [rule] = Properties.ReplicationConfiguration.Rules;
    expect(rule).toMatchObject({
      Status: 'Enabled',
      Filter: { Prefix: 'media/' },
      DeleteMarkerReplication: { Status: 'Enabled' },
    });
    const copies = service.stacks['backup']?.find(({ logicalId }) => logicalId === 'MediaCopies');
    for (const bucket of [find(service, 'MediaBucket'), copies])
      expect(bucket?.Properties.LifecycleConfiguration.Rules).toContainEqual(
        expect.objectContaining({ NoncurrentVersionExpiration: { NoncurrentDays: 1 }, Status: 'Enabled' }),
      );
    // If the first deployment fails, it goes: its name is fixed, so a second one could not create it.
    expect(copies?.DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  it('makes a replica of the token key there once its ARN is known', () => {
    const [replica] = service.ofType('AWS::KMS::ReplicaKey');
    expect(replica?.Properties.PrimaryKeyArn).toEqual({ Ref: 'TokenKeyArn' });
    expect((replica as unknown as { Condition: string }).Condition).toBe('TokenKeyIsKnown');
  });

  it('deploys what receives copies before what sends them', () => {
    const { artifacts } = JSON.parse(readFileSync(join(service.directory, 'manifest.json'), 'utf8'));
    expect(artifacts['herald-production-data'].dependencies).toContain('herald-production-backup');
  });
});

it('a stage that names a restored table uses it everywhere, and still keeps and exports its own', () => {
  const restoredTable = {
    tableName: 'restored',
    streamArn: 'arn:aws:dynamodb:eu-west-1:111122223333:table/restored/stream/2027-01-01T00:00:00.000',
  };
  const service = synthesize({ stage: { ...productionStage, restoredTable } });
  service.remove();
  expect(find(service, 'Table')).toEqual(find(production, 'Table'));
  expect(service.exports('data')).toEqual(expect.arrayContaining([...production.exports('data')]));
  const names = service
    .ofType('AWS::Lambda::Function')
    .flatMap(({ Properties }) => Properties.Environment?.Variables.TABLE_NAME ?? []);
  expect(new Set(names)).toEqual(new Set(['restored']));
  const streams = service
    .ofType('AWS::Lambda::EventSourceMapping')
    .flatMap(({ Properties }) =>
      String(Properties.EventSourceArn).includes('/stream/') ? Properties.EventSourceArn : [],
    );
  expect(streams).toEqual([restoredTable.streamArn, restoredTable.streamArn]);
});
