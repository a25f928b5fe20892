import { describe, expect, it } from 'vitest';
import { getMedia } from '../../../../lib/media/read.ts';
import { settleMedia } from '../../../../lib/media/store.ts';
import { seesMedia } from '../../../../lib/posts/stored/visible-media.ts';
import { openWorkspace, storeMedia } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { rows, testHostileFiles } from './hostile-files.ts';
import { measureInspection } from './measure.ts';

describe('a file with', () => testHostileFiles());

it('what an inspection finds can be stored and read again', async () => {
  const table = await createTestTable();
  const { context } = await openWorkspace(table);
  for (const [what, contentType, file, outcome] of rows) {
    if (outcome !== 'fit') continue;
    const { found } = await measureInspection(file(), contentType);
    const probe = found.state === 'fit' ? found.probe : undefined;
    const media = await storeMedia(table, context.workspaceId, { status: 'pending' });
    const changes = { status: 'ready', reservedBytes: 1_000, probe: probe ?? null, dueAt: null } as const;
    expect(await settleMedia(table, media, changes), what).toBe('settled');
    const read = await getMedia({ ...context, seesMedia }, media.id);
    expect(read.probe, what).toEqual(probe);
  }
});
