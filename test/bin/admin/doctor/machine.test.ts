import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkMachine } from '../../../../bin/admin/doctor/machine.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'doctor-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function check(name: string, environment: NodeJS.ProcessEnv = {}) {
  const { checks } = await checkMachine({ DATA_DIR: directory, PORT: '0', ...environment });
  return checks.find((each) => each.check === name);
}

const writeDevFile = (url: string) =>
  writeFileSync(join(directory, 'dev.json'), JSON.stringify({ apiUrl: url, awsEndpoint: url }));

/** A local cloud's response. */
const aClock = JSON.stringify({ now: '2026-03-01T12:00:00.000Z', offsetSeconds: 0 });

/** A server on a free port that answers everything alike. */
async function withServer(use: (url: string, port: number) => Promise<void>, answer = aClock): Promise<void> {
  const server = createServer((_, response) => response.end(answer));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await use(`http://127.0.0.1:${port}`, port);
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
}

describe('what a local run needs of the machine', () => {
  it('is there in an empty folder, and in one that does not exist', async () => {
    expect(await check('DATA_DIR')).toMatchObject({ state: 'ok', found: expect.stringContaining('MB free') });
    const missing = join(directory, 'a/b');
    expect(await check('DATA_DIR', { DATA_DIR: missing })).toMatchObject({
      state: 'ok',
      found: `${missing} will be created`,
    });
    expect(await check('port')).toMatchObject({ state: 'ok' });
  });

  it('is not there if a file is in the place of the folder, or above it', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    expect(await check('DATA_DIR', { DATA_DIR: file })).toMatchObject({
      state: 'wrong',
      found: `${file} is not a folder`,
    });
    expect(await check('DATA_DIR', { DATA_DIR: join(file, 'a/b') })).toMatchObject({
      state: 'wrong',
      found: `${join(file, 'a/b')} cannot be created, because ${file} is a file`,
    });
    expect(await check('DATA_DIR', { DATA_DIR: '/proc/foo' })).toMatchObject({ state: 'wrong' });
  });

  it.each(['abc', '-1', '65536', ''])('is not there if PORT is "%s"', async (PORT) => {
    expect(await check('port', { PORT })).toMatchObject({
      state: 'wrong',
      remedy: 'set PORT to a number from 0 to 65535',
    });
  });

  it('is not there if the port is in use', async () => {
    await withServer(async (_, port) => {
      expect(await check('port', { PORT: String(port) })).toMatchObject({
        state: 'wrong',
        found: `${port} is in use`,
        remedy: expect.stringContaining('PORT'),
      });
    });
  });
});

describe('the local cloud', () => {
  it('does not run', async () => {
    expect(await check('local cloud')).toMatchObject({ state: 'warning', remedy: 'npm run dev' });
  });

  it('runs', async () => {
    await withServer(async (url) => {
      writeDevFile(url);
      expect(await check('local cloud')).toMatchObject({ state: 'ok', found: `runs at ${url}` });
    });
  });

  it('was killed, and another program has its port', async () => {
    await withServer(async (url) => {
      writeDevFile(url);
      expect(await check('local cloud')).toMatchObject({ state: 'warning' });
    }, '{}');
  });

  it('was killed: its file is left, and nothing answers', async () => {
    writeDevFile('http://127.0.0.1:9');
    expect(await check('local cloud')).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('has ended without removing'),
    });
  });

  it('has left a damaged file', async () => {
    writeFileSync(join(directory, 'dev.json'), '{');
    expect(await check('local cloud')).toMatchObject({
      state: 'wrong',
      remedy: expect.stringContaining('remove'),
    });
  });
});
