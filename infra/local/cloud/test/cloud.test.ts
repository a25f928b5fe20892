import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocalCloud } from '../cloud.ts';
import { type DataDirectory, openDataDirectory } from '../data-directory.ts';
import type { StreamRecord } from '../engines/types.ts';
import type { LocalCloud } from '../types.ts';
import { synthesizeSmallService } from './small-service.ts';

const directory = mkdtempSync(join(tmpdir(), 'cloud-'));
let assemblyDirectory = '';
let data: DataDirectory;
let cloud: LocalCloud;
const logged: string[] = [];
const accessLines: string[] = [];
const changes: StreamRecord[] = [];

const start = () =>
  startLocalCloud({
    assemblyDirectory,
    data,
    jitter: 'none',
    environmentOverrides: ({ mediaUrl }) => ({ BASE_URL: `${mediaUrl}/platform` }),
    log: (line) => logged.push(line),
    onAccessLine: (line) => accessLines.push(line),
    onTableChange: (change) => changes.push(change),
  });

beforeAll(async () => {
  assemblyDirectory = synthesizeSmallService(directory);
  data = openDataDirectory(join(directory, 'data'));
  cloud = await start();
});
afterAll(async () => {
  await cloud.stop();
  data.release();
  rmSync(directory, { recursive: true });
});

const key = ({ Keys }: StreamRecord['dynamodb']) => (Keys['pk'] as { readonly S: string }).S;

async function call(method: string, id: string): Promise<Record<string, string>> {
  const response = await fetch(`${cloud.apiUrl}/items/${id}`, { method });
  return (await response.json()) as Record<string, string>;
}

describe('a service on the local cloud', () => {
  it('reads what it wrote, with overridden environment variables', async () => {
    expect(await call('PUT', 'a')).toEqual({ id: 'a' });
    const { note, baseUrl } = await call('GET', 'a');
    expect(note).toMatch(/^written at /);
    expect(baseUrl).toBe(`${cloud.mediaUrl}/platform`);
  });

  it('processes a commit through stream, relay, queue and consumer', async () => {
    await call('PUT', 'post-1');
    await expect
      .poll(async () => (await call('GET', 'seen-post-1'))['note'], { timeout: 30_000 })
      .toBe('seen');
    expect((await call('GET', 'seen-a'))['note']).toBeUndefined();
  });

  it('tells the program that runs it of each change of the table, once', async () => {
    const changed = (id: string) => changes.filter(({ dynamodb }) => key(dynamodb) === id);
    await call('PUT', 'told');
    await expect.poll(() => changed('told').length).toBe(1);
    expect(changed('told')[0]).toMatchObject({
      eventName: 'INSERT',
      dynamodb: { NewImage: { note: { S: expect.stringContaining('written') } } },
    });
  });

  it('writes the access log of the API, as its stage says, beside the logs of the functions', async () => {
    await call('PUT', 'logged');
    const line = accessLines.find((each) => each.includes('/items/logged'));
    expect(JSON.parse(line ?? '')).toEqual({
      routeKey: 'PUT /items/{id}',
      path: '/items/logged',
      status: '200',
      error: '-',
    });
    await expect.poll(() => readFileSync(join(data.path, 'logs/access.log'), 'utf8')).toContain(`${line}\n`);
  });

  it("refuses a call that a function's policy does not allow", async () => {
    const { name, message } = await call('DELETE', 'a');
    expect(name).toBe('AccessDeniedException');
    expect(message).toMatch(/assumed-role\/.*\/erase is not authorized to perform: dynamodb:DeleteItem/);
  });

  it('follows the moved clock inside its functions', async () => {
    const response = await fetch(`${cloud.awsEndpoint}/_local/clock`, {
      method: 'POST',
      body: JSON.stringify({ advanceSeconds: 3_600 }),
    });
    expect(response.status).toBe(200);
    const ticked = async () => Date.parse((await call('GET', 'ticked'))['note'] ?? '') - Date.now();
    await expect.poll(ticked, { timeout: 30_000 }).toBeGreaterThan(3_500_000);
  });

  it('lists its processes, and replaces one that was killed', async () => {
    const response = await fetch(`${cloud.awsEndpoint}/_local/processes`);
    const processes = (await response.json()) as { function: string; pid: number }[];
    const reader = processes.find((process) => process.function === 'read');
    process.kill(reader?.pid ?? 0, 'SIGKILL');
    await expect.poll(() => cloud.processes().some(({ pid }) => pid === reader?.pid)).toBe(false);
    expect((await call('GET', 'a'))['note']).toMatch(/^written/);
  });

  it('is invoked by function name', async () => {
    expect(await cloud.invoke('read', { pathParameters: { id: 'a' } })).toMatchObject({
      ok: true,
      result: { statusCode: 200 },
    });
  });

  it('keeps data, ports, keys and the clock across a restart, and stops quickly', async () => {
    const before = cloud;
    const startedAt = performance.now();
    await cloud.stop();
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    await expect(fetch(before.apiUrl)).rejects.toThrow();
    cloud = await start();
    expect(cloud).toMatchObject({
      apiUrl: before.apiUrl,
      awsEndpoint: before.awsEndpoint,
      mediaUrl: before.mediaUrl,
      administrator: before.administrator,
    });
    expect(cloud.clock.offsetMs()).toBe(3_600_000);
    const told = changes.map(({ eventID }) => eventID);
    expect(told).toEqual([...new Set(told)]);
    expect((await call('GET', 'a'))['note']).toMatch(/^written/);
    expect(readFileSync(join(data.path, 'access-keys.json'), 'utf8')).toContain('function read');
  });

  it('logs nothing if nothing fails', () => {
    expect(logged).toEqual([]);
  });
});

describe('a local cloud that cannot start', () => {
  it('names the data directory that is in use', () => {
    expect(() => openDataDirectory(data.path)).toThrow(`another local cloud runs in ${data.path}`);
  });

  it('names the port that is in use', async () => {
    const other = openDataDirectory(join(directory, 'other'));
    const port = Number(new URL(cloud.apiUrl).port);
    await expect(startLocalCloud({ assemblyDirectory, data: other, port, jitter: 'none' })).rejects.toThrow(
      `port ${port} is in use: stop the other program or set PORT`,
    );
    other.release();
  });

  it('says that the directory is not an assembly', async () => {
    const other = openDataDirectory(join(directory, 'empty'));
    await expect(
      startLocalCloud({ assemblyDirectory: directory, data: other, port: 0, jitter: 'none' }),
    ).rejects.toThrow('is not part of a synthesized assembly');
    other.release();
  });
});
