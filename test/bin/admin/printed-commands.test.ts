import { expect, it } from 'vitest';
import { parseCommand } from '../../../bin/admin/command-line.ts';
import { commands } from '../../../bin/admin/main.ts';
import { argumentsOf, printedCommandsOf, runbookSections } from '../../journeys/support/runbook.ts';

/** A value for each placeholder. */
const values = {
  'account id': '1',
  'automation id': '1',
  group: 'herald-production',
  id: '1',
  'key id': '1',
  'post id': '1',
  'queue name': 'publish',
  'webhook id': '1',
  'workspace id': '1',
  name: 'publish-target',
  platform: 'threads',
  table: 'herald',
  time: '2026-11-01T00:00:00Z',
};

const printed = [...new Set(runbookSections().flatMap((section) => section.commands))];

it('the runbook prints commands', () => {
  expect(printed.length).toBeGreaterThan(25);
});

// The deep run makes the incidents, and compares the answers.
it.each(printed)('the runbook prints a command that exists: %s', (command) => {
  expect(parseCommand(commands, argumentsOf(command, values))).toMatchObject({ state: 'run' });
});

const pages = ['README.md', 'docs/deploy.md', 'docs/operate.md', 'docs/restore.md', 'docs/reviews.md'];
it.each(pages)('%s prints commands that exist', (page) => {
  const found = printedCommandsOf(page);
  expect(found).not.toEqual([]);
  for (const command of found)
    expect(parseCommand(commands, argumentsOf(command, values)), command).toMatchObject({
      state: command === '--help' ? 'help' : 'run',
    });
});
