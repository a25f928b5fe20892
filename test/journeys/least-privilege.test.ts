import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AwsAccess } from '../../lib/aws/client-options.ts';
import { sha256 } from '../../lib/kernel/ids.ts';
import { batchPut } from '../../lib/table/batch-write.ts';
import { unconditionally } from '../../lib/table/condition.ts';
import { putItem, updateItem } from '../../lib/table/items.ts';
import { keyDigestKey } from '../../lib/table/keys.ts';
import { openTable } from '../../lib/table/table.ts';
import type { CloudVisit } from '../support/local-cloud.ts';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { variants } from './support/rights.ts';

let cloud: CloudVisit;
visitSharedCloud((visit) => {
  cloud = visit;
});

/** The deep run removes each right, and sees these journeys fail. */
it('every journey works with the deployed policies', async () => {
  for (const row of variants.flat()) {
    expect({ of: row.function, problem: await row.journey(cloud) }).toEqual({ of: row.function });
  }
});

/** Functions of the panel that put API keys and the grants of clients, for owners who have just signed in. */
const keyIssuers = ['panel-create-key', 'panel-rotate-key', 'panel-authorize-client'];

/** The functions whose credentials are tried together. */
const atOnce = 8;

it('whoever has the credentials of another function can make no API key with them', async () => {
  const stored = readFileSync(join(cloud.dataDirectory, 'access-keys.json'), 'utf8');
  const keys = JSON.parse(stored) as Record<string, AwsAccess['credentials']>;
  const { region, tables, functions } = cloud.model;
  const [tableName = ''] = tables.map(({ name }) => name);
  expect(functions.filter(({ name }) => keyIssuers.includes(name))).toHaveLength(keyIssuers.length);
  const tryToForge = async (name: string) => {
    const credentials = keys[`function ${name}`];
    const access = { endpoint: cloud.awsEndpoint, region, ...(credentials && { credentials }) };
    const table = openTable(tableName, access);
    const forged = { ...keyDigestKey(sha256('a key of the attacker')), kind: 'key' };
    const attempts = {
      put: () => putItem(table, forged, unconditionally),
      update: () => updateItem(table, forged, { set: { kind: 'key' }, if: unconditionally }),
      batch: () => batchPut(table, [forged]),
    };
    for (const [attempt, make] of Object.entries(attempts)) {
      await expect(make(), `${attempt} of ${name}`).rejects.toMatchObject({
        name: 'AccessDeniedException',
      });
    }
  };
  const others = functions.filter((each) => !keyIssuers.includes(each.name));
  // On a busy machine, more clients at once would not connect within their limit of a second.
  for (let first = 0; first < others.length; first += atOnce) {
    await Promise.all(others.slice(first, first + atOnce).map(({ name }) => tryToForge(name)));
  }
});
