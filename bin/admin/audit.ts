import { rangeOf } from '../../lib/audit/range.ts';
import { auditPages } from '../../lib/audit/store.ts';
import { getWorkspace } from '../../lib/workspaces/store.ts';
import type { Commands } from './command.ts';

export const auditCommands: Commands = {
  'audit export': {
    verb: 'audit.read',
    words: ['workspace id'],
    options: {
      from: { value: 'time', summary: 'only entries at or after this time, such as 2026-03-01T12:00:00Z' },
      to: { value: 'time', summary: 'only entries before this time' },
    },
    summary: 'print who changed what in a workspace, oldest first, one JSON object per line',
    detail: 'Entries are kept for 400 days.',
    run: async ({ table, now, options }, workspaceId = '') => {
      const range = rangeOf(options);
      const { id } = await getWorkspace(table, workspaceId);
      for await (const page of auditPages(table, id, { ...range, now }))
        for (const entry of page) console.log(JSON.stringify(entry));
    },
  },
};
