import { expect, it } from 'vitest';
import { parseCommand } from '../../../bin/admin/command-line.ts';
import { commands } from '../../../bin/admin/main.ts';
import { argumentsOf, runbookSections } from '../../journeys/support/runbook.ts';

/** A value for each placeholder. */
const values = {
  'automation id': '1',
  'post id': '1',
  'queue name': 'publish',
  'webhook id': '1',
  'workspace id': '1',
  name: 'publish-target',
  platform: 'threads',
};

const printed = [...new Set(runbookSections().flatMap((section) => section.commands))];

it('the runbook prints commands', () => {
  expect(printed.length).toBeGreaterThan(25);
});

// The deep run makes the incidents, and compares the answers.
it.each(printed)('the runbook prints a command that exists: %s', (command) => {
  expect(parseCommand(commands, argumentsOf(command, values))).toMatchObject({ state: 'run' });
});
