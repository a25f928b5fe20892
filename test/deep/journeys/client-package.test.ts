import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildClient } from '../../contract/clients/client-package.ts';
import { clientOf, until } from '../../journeys/support/client.ts';
import {
  freePort,
  node,
  type Programs,
  signedEvent,
  untilListening,
  writePrograms,
} from '../../journeys/support/guides.ts';
import { projectRoot } from '../../journeys/support/shell.ts';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { visitSharedCloud } from '../../support/shared-cloud.ts';

const run = promisify(execFile);
const readme = 'lib/client/README.md';

/** A folder of a user who has installed the archive of the package, with the programs of its README. */
let programs: Programs;
let listed: string[];
beforeAll(async () => {
  const built = mkdtempSync(join(tmpdir(), 'client-'));
  await buildClient(built);
  programs = writePrograms({ ...node, page: readme });
  const { folder } = programs;
  rmSync(join(folder, 'node_modules'));
  const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: built });
  const [archive] = JSON.parse(packed.stdout);
  listed = archive.files.map(({ path }: { path: string }) => path);
  rmSync(built, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const install = ['install', '--offline', '--no-audit', '--no-fund', `./${archive.filename}`];
  await run('npm', install, { cwd: folder });
});
afterAll(() => programs.remove());

describe('the archive of @herald/client', () => {
  it('has what its manifest says, its licence and nothing else', () => {
    const others = listed.filter((path) => !/^dist\/\w+\.(js|d\.ts)$/.test(path));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(listed).toEqual(expect.arrayContaining(['dist/herald.js', 'dist/herald.d.ts']));
  });

  it('has the version of the service, and no dependencies', () => {
    const manifest = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
    const installed = manifest(join(programs.folder, 'node_modules/@herald/client/package.json'));
    expect(installed).toMatchObject({
      name: '@herald/client',
      version: manifest(join(projectRoot, 'package.json')).version,
      license: 'Apache-2.0',
      engines: { node: '>=20' },
    });
    expect(Object.keys(installed).filter((name) => /dependencies|private|scripts/i.test(name))).toEqual([]);
  });

  it('can be loaded by CommonJS too', async () => {
    const { stdout } = await run(
      process.execPath,
      ['-p', "Object.keys(require('@herald/client')).sort().join(' ')"],
      { cwd: programs.folder },
    );
    expect(stdout).toBe('HeraldError createHerald isFromHerald verifyWebhook\n');
  });
});

describe.each([
  ['7', join(projectRoot, 'node_modules/.bin/tsc')],
  ['5.9', join(projectRoot, 'test/contract/clients/node_modules/typescript/bin/tsc')],
])('a strict user with TypeScript %s', (_version, compiler) => {
  it.each([
    ['the types of Node.js', ['es2023'], ['node']],
    ['those of browsers', ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'], []],
  ])('compiles the programs of the README and every use of the types, with %s', async (_name, lib, types) => {
    const { folder, names } = programs;
    copyFileSync(
      join(projectRoot, 'test/contract/clients/programs/herald-client.mts'),
      join(folder, 'program.mts'),
    );
    for (const name of names) copyFileSync(join(folder, name), join(folder, name.replace('.mjs', '.mts')));
    // The README's programs are of Node.js.
    const isOfNode = types.length > 0;
    writeFileSync(
      join(folder, 'environment.d.ts'),
      isOfNode ? '' : 'declare const process: { env: Record<string, string> };',
    );
    const compilerOptions = {
      target: 'es2023',
      lib,
      types,
      typeRoots: [join(projectRoot, 'node_modules/@types')],
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      skipLibCheck: isOfNode,
    };
    const files = ['program.mts', 'environment.d.ts', ...names.map((name) => name.replace('.mjs', '.mts'))];
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: isOfNode ? files : files.slice(0, 2) }),
    );
    const { code = 0, stdout } = await run(process.execPath, [compiler, '--project', folder]).catch(
      (error) => error,
    );
    expect([code, stdout]).toEqual([0, '']);
  });
});

describe('a reader of the README of @herald/client', () => {
  let cloud: CloudVisit;
  let env: Record<string, string>;
  visitSharedCloud((visit) => {
    cloud = visit;
    env = { HERALD_URL: cloud.apiUrl, HERALD_API_KEY: cloud.demo.apiKey };
  });
  const outputOf = async (name: string) =>
    (await programs.run(name, { env }).ended).stdout.trim().split('\n');

  it('uploads a picture, posts it and waits until it is live', async () => {
    copyFileSync(join(projectRoot, 'test/fixtures/image.jpg'), join(programs.folder, 'rolls.jpg'));
    const program = readFileSync(join(programs.folder, 'post.mjs'), 'utf8');
    const customer = "{ externalId: 'customer-1' }";
    expect(program).toContain(customer);
    programs.add('post.mjs', program.replace(customer, "{ platform: 'threads' }"));
    expect(await outputOf('post.mjs')).toEqual([expect.stringMatching(/^threads published (http|null)/)]);
  });

  it('lists posts and reads the feed', async () => {
    const lines = await until(
      () => outputOf('lists.mjs'),
      (told) => told.at(-1)?.includes('events') === true,
    );
    expect(lines).toEqual(['0 posts', expect.stringMatching(/^0 events; go on with \S+$/)]);
  });

  it('sees why a request is refused', async () => {
    expect(await outputOf('errors.mjs')).toEqual([
      '400 field_format platforms[0].accountId platforms[0].accountId: must be a UUID',
      'platforms[0].accountId: must be a UUID',
    ]);
  });

  it('receives webhooks, and survives what is not one', async () => {
    const [port, secret] = [await freePort(), 'whsec_test'];
    const receiver = programs.run('receiver.mjs', {
      env: { PORT: String(port), HERALD_WEBHOOK_SECRET: secret },
    });
    await untilListening(receiver, port);
    const { body, headers } = signedEvent('event-1', secret, Math.floor(Date.now() / 1_000));
    const send = async (change: RequestInit) => {
      const { status } = await fetch(`http://localhost:${port}/`, {
        method: 'POST',
        body,
        headers,
        ...change,
      });
      return status;
    };
    expect(await send({})).toBe(204);
    expect(await send({ body: `${body} ` })).toBe(400);
    expect(await send({ headers: {} })).toBe(400);
    expect(await send({ body: 'x'.repeat(1_000_001) })).toBe(413);
    expect(await send({})).toBe(204);
    receiver.child.kill();
  });

  it('receives what the service sends', async () => {
    const [port, workspace] = [await freePort(), clientOf(cloud, cloud.demo)];
    const url = `http://localhost:${port}/`;
    const made = await workspace.expectStatus(201, 'POST', '/v1/webhooks', { url, events: ['*'] });
    const { webhook } = made.json() as { webhook: { id: string; secret: string } };
    const CLOCK_AHEAD_MS = String(cloud.clock.now() - Date.now());
    const receiver = programs.run('receiver.mjs', {
      env: { PORT: String(port), HERALD_WEBHOOK_SECRET: webhook.secret, CLOCK_AHEAD_MS },
    });
    await untilListening(receiver, port);
    await workspace.expectStatus(202, 'POST', `/v1/webhooks/${webhook.id}/test`);
    await until(
      async () =>
        (await workspace.expectStatus(200, 'GET', `/v1/webhooks/${webhook.id}/deliveries`)).json() as {
          deliveries: { status: string }[];
        },
      ({ deliveries }) => deliveries[0]?.status === 'delivered',
    );
    await workspace.expectStatus(200, 'DELETE', `/v1/webhooks/${webhook.id}`);
    receiver.child.kill();
  });
});
