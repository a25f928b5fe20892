import { expect, it } from 'vitest';
import { dataFolder } from '../../bin/data-folder.ts';
import { readSettings } from '../../bin/dev/settings.ts';

it.each([
  ['is .local without DATA_DIR', {}, '.local'],
  ['is .local if DATA_DIR is empty, not the current folder', { DATA_DIR: '' }, '.local'],
  ['is what DATA_DIR names', { DATA_DIR: '/tmp/run' }, '/tmp/run'],
])('the folder of a local run %s', (_, environment, folder) => {
  expect(dataFolder(environment)).toBe(folder);
  expect(readSettings(environment).dataDirectory).toBe(folder);
});
