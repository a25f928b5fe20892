import { type AutomationReason, explainAutomation } from '../../lib/operating/why-automation.ts';
import { type Commands, operatorCommand } from './command.ts';
import { fieldLines, tableLines } from './output.ts';

export const automationCommands: Commands = {
  'automation why': operatorCommand({
    verb: 'automation.read',
    words: { automationId: {} },
    summary: 'explain the actions of an automation: done, waiting and failed ones, with the reasons',
    detail:
      'Failures are grouped by reason, each with the id of a comment for the log. The texts that people wrote are not shown.',
    run: async ({ table, out }, { automationId }) => {
      const reason = await explainAutomation(table, automationId);
      out.result(reason, linesOf(reason));
      if (reason.isCut) out.note('There are more actions: the groups are those of the first 5,000.');
    },
  }),
};

function linesOf({ counts, groups, isCut: _, ...about }: AutomationReason): string[] {
  const { failuresByCode: _codes, waiting, ...numbers } = counts;
  return [
    ...fieldLines({
      ...about,
      ...numbers,
      waiting: Object.values(waiting).reduce((sum, each) => sum + each, 0),
    }),
    '',
    ...(groups.length === 0
      ? ['Nothing waits, and nothing has failed.']
      : tableLines(groups.map((each) => ({ ...each })))),
  ];
}
