import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { variants } from '../../journeys/support/rights.ts';
import { weakenAssembly } from '../../journeys/support/weakened-assembly.ts';
import { startTestCloud } from '../../support/local-cloud.ts';

const directory = mkdtempSync(join(tmpdir(), 'weakened-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe.each(variants.map((rows, index) => ({ rows, index })))('without a right', ({ rows, index }) => {
  it(`each journey that needs it fails: ${rows.map(({ action, function: name }) => `${action} of ${name}`).join(', ')}`, async () => {
    const assemblyDirectory = join(directory, String(index));
    weakenAssembly(inject('assemblyDirectory'), assemblyDirectory, rows);
    const cloud = await startTestCloud({ assemblyDirectory });
    try {
      for (const { function: name, action, journey } of rows) {
        const problem = await journey(cloud);
        expect({ name, problem }).toEqual({ name, problem: expect.any(String) });
        // A presigned upload is refused at the bucket; every other denial is in the function's log.
        const told = [problem, ...cloud.functionLines.filter((line) => line.startsWith(`${name}: `))];
        const denials = told.filter((line) => line?.includes('AccessDenied') && line.includes(action));
        expect(denials, `${name}: ${told.join('\n')}`).not.toEqual([]);
      }
    } finally {
      await cloud.stop();
    }
  });
});

it('removing a right that a function does not have fails', () => {
  const right = { function: 'posts-read', action: 'dynamodb:Scan' };
  expect(() => weakenAssembly(inject('assemblyDirectory'), join(directory, 'none'), [right])).toThrow(
    'posts-read has no right to dynamodb:Scan',
  );
});
