/** The requirements of `docs/CONTRIBUTING.md` that no other test and no type enforces. */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningPlatforms } from '@herald/local-cloud/types.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startPlatforms } from '../../bin/dev/platforms.ts';
import { deployedOperations } from '../../lib/operations.ts';
import { platformNames, platformTitles } from '../../lib/platforms/contract/names.ts';
import { adapterFor } from '../../lib/platforms/registry/adapters.ts';
import { authorizationFor } from '../../lib/platforms/registry/authorizations.ts';
import { optionSchemas } from '../../lib/platforms/registry/options.ts';
import { rulesFor } from '../../lib/platforms/registry/rules.ts';
import { eventDescriptions } from '../../lib/webhooks/events/event-data.ts';
import { rows } from '../contract/rows.ts';
import { layers } from './layers.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The rows of the first table after a heading of a document, without its header, as cells. */
function tableAfter(document: string, heading: string): string[][] {
  const lines = read(document).split('\n');
  const start = lines.findIndex((line, index) => index > lines.indexOf(heading) && line.startsWith('|'));
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  return lines.slice(start + 2, start + length).map((line) => line.split('|').slice(1, -1).map(trimmed));
}

const trimmed = (cell: string): string => cell.trim();

let local: RunningPlatforms;
let dataDirectory: string;
beforeAll(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'herald-'));
  local = await startPlatforms({ dataDirectory, clock: Date, apiUrl: 'http://127.0.0.1:1', ports: {} });
});
afterAll(async () => {
  await local.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
});

const exportsOf = async (path: string): Promise<unknown[]> => Object.values(await import(join(root, path)));

describe.each(platformNames)('the platform %s', (platform) => {
  const folder = `lib/platforms/${platform}`;

  it.each([
    'absence',
    'adapter',
    'authorization',
    'client',
    'errors',
    'features',
    'limits',
    'map',
    'options',
    'rules',
  ])('has %s.ts', (file) => {
    expect(existsSync(join(root, folder, `${file}.ts`)), `${folder}/${file}.ts`).toBe(true);
  });

  it('has its adapter, authorization, options and rules in lib/platforms/registry', async () => {
    expect(await exportsOf(`${folder}/adapter.ts`)).toContain(await adapterFor(platform));
    expect(await exportsOf(`${folder}/authorization.ts`)).toContain(await authorizationFor(platform));
    expect(await exportsOf(`${folder}/options.ts`)).toContain(optionSchemas[platform]);
    expect(await exportsOf(`${folder}/rules.ts`)).toContain(await rulesFor(platform));
  });

  it('has a layer', () => {
    expect(layers.flatMap(({ folders }) => folders)).toContain(`platforms/${platform}`);
  });

  it('has a simulator, with tests', () => {
    expect(existsSync(join(root, `infra/local/platforms/${platform}/${platform}.ts`))).toBe(true);
    expect(
      globSync(`infra/local/platforms/test/${platform}/*.test.ts`, { cwd: root }).length,
    ).toBeGreaterThan(0);
  });

  it('is started by the local run, with its app', () => {
    expect(Object.keys(local.addresses)).toContain(platform);
    expect(local.parameters.map(({ name }) => name)).toContain(`/herald/dev/platforms/${platform}`);
  });

  it('has a row in test/contract/rows.ts', () => {
    expect(rows.map((row) => row.platform)).toContain(platform);
  });

  it('has a page in docs/platforms, and a row in the table of the README', () => {
    const title = platformTitles[platform];
    expect(read(`docs/platforms/${platform}.md`).split('\n')).toContain(`# ${title}`);
    expect(tableAfter('README.md', '## Platforms').map(([name]) => name)).toContain(title);
  });
});

const isOfPanel = (handler: string) => handler.startsWith('panel/');

it.each(
  deployedOperations.map(({ id, handler }) => [
    id,
    isOfPanel(handler) ? `functions/${handler}.ts` : `functions/api/${handler}.ts`,
  ]),
)('the operation %s has a handler with `build`: %s', async (_id, path) => {
  expect(existsSync(join(root, path)), path).toBe(true);
  expect(await import(join(root, path))).toHaveProperty('build');
});

it('every operation of an operations.ts is listed in lib/operations.ts', async () => {
  const declared = await Promise.all(
    globSync('lib/**/{operations,*-operations}.ts', { cwd: root }).map(async (path) =>
      Object.entries<unknown>(await import(join(root, path))).map(([name, value]) => ({ path, name, value })),
    ),
  );
  const unlisted = declared
    .flat()
    .filter(
      ({ name, value }) => name.endsWith('Operation') && !deployedOperations.some((op) => op === value),
    );
  expect(unlisted.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
});

describe('the table of events in docs/webhooks.md', () => {
  const events = tableAfter('docs/webhooks.md', '## Events');

  it('has every event, and no other', () => {
    expect(events.map(([type]) => type).sort()).toEqual(
      Object.keys(eventDescriptions)
        .map((type) => `\`${type}\``)
        .sort(),
    );
  });

  it.each(Object.entries(eventDescriptions))('has the fields of %s', (type, { data }) => {
    const fields = Object.entries((data as z.ZodObject).shape).map(
      ([name, field]) => `${name}${field instanceof z.ZodOptional ? '?' : ''}`,
    );
    const [, , cell] = events.find(([name]) => name === `\`${type}\``) ?? [];
    expect(cell).toBe(`\`{ ${fields.join(', ')} }\``);
  });
});
