import { rangeOf } from '../../lib/audit/range.ts';
import { stageLog } from '../../lib/audit/record.ts';
import { auditPages } from '../../lib/audit/store.ts';
import { getWorkspace } from '../../lib/workspaces/store.ts';
import { type Commands, operatorCommand } from './command.ts';
import { readMoment } from './values.ts';

export const auditCommands: Commands = {
  'audit export': operatorCommand({
    verb: 'audit.read',
    words: { workspaceId: {} },
    options: {
      from: {
        value: 'time',
        read: readMoment,
        summary: 'only entries at or after this day or time, such as 2027-01-31',
      },
      to: { value: 'time', read: readMoment, summary: 'only entries before this day or time' },
    },
    summary: 'print the audit log of a workspace, oldest entry first, one JSON object per line',
    detail: `With \`${stageLog}\` in place of the id: the actions of operators on the whole stage. Entries are kept for 400 days.`,
    run: async ({ table, now, out }, { workspaceId: about }, { from, to }) => {
      const range = rangeOf({ from: from?.(now), to: to?.(now) });
      const id = about === stageLog ? stageLog : (await getWorkspace(table, about)).id;
      for await (const page of auditPages(table, id, { ...range, now }))
        for (const entry of page) out.line(entry, JSON.stringify(entry));
    },
  }),
};
