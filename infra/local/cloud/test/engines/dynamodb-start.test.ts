import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createMovableClock } from '../../clock.ts';
import { startDynamodb } from '../../engines/dynamodb/engine.ts';
import { defaultTiming } from '../../engines/types.ts';
import { smallModel } from '../../testing/cloud.ts';

const childProcesses = () => process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length;

it('an engine that cannot start leaves no process', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'dynamodb-start-'));
  const clock = createMovableClock();
  const model = smallModel({ endpointUrl: 'http://127.0.0.1:1' });
  const before = childProcesses();
  try {
    const engine = await startDynamodb(model, directory, { clock, timing: defaultTiming });
    expect(childProcesses()).toBe(before + 1);
    await engine.stop();
    const [table, ...others] = model.tables;
    const KeySchema = [{ AttributeName: 'sk', KeyType: 'HASH' }];
    const changed = { ...table, definition: { ...table?.definition, KeySchema } } as NonNullable<
      typeof table
    >;
    await expect(
      startDynamodb({ ...model, tables: [changed, ...others] }, directory, { clock, timing: defaultTiming }),
    ).rejects.toThrow('The key of table posts has changed');
    await expect.poll(childProcesses).toBe(before);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
