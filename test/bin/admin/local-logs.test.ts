import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localFunctions, readLocalLogs, sumLocalMetric } from '../../../bin/admin/local-logs.ts';

const metric = (platform: string, Timestamp: number, value: unknown) => ({
  functionName: 'relay',
  line: JSON.stringify({ _aws: { Timestamp }, platform, DestinationsPublished: value }),
});

describe('the logs of the local cloud', () => {
  it('count a metric by platform, since a time', async () => {
    const lines = [
      metric('threads', 1_000, 2),
      metric('threads', 2_000, 2),
      metric('threads', 3_000, [1, 1]),
      metric('linkedin', 2_000, 1),
      { functionName: 'relay', line: 'DestinationsPublished but no JSON' },
      { functionName: 'relay', line: '{"message":"DestinationsPublished"}' },
    ];
    expect([...(await sumLocalMetric('DestinationsPublished', 2_000, lines))]).toEqual([
      ['threads', 4],
      ['linkedin', 1],
    ]);
  });

  it('are read by function, and there may be none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'logs-'));
    writeFileSync(join(folder, 'sweep.log'), 'one\ntwo\n');
    writeFileSync(join(folder, 'access.log'), 'a request\n');
    expect(await localFunctions(folder)).toEqual(['sweep']);
    const read = [];
    for await (const line of readLocalLogs(folder)) read.push(line);
    rmSync(folder, { recursive: true });
    for await (const line of readLocalLogs(folder)) read.push(line);
    expect(read).toEqual([
      { functionName: 'sweep', line: 'one' },
      { functionName: 'sweep', line: 'two' },
    ]);
  });
});
