import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { byVersion, releases } from '../support/releases.ts';
import { type Candidate, releaseProblems, sectionsOf } from './release-problems.ts';

const changelog = `# Changelog

## Unreleased

## 1.2.0 (2026-12-01)

### Added

- Something.

### Migrations

A stage with both releases keeps a \`chore\` for the new one.

## 1.1.0 (2026-11-01)

### Migrations

None.
`;
const candidate: Candidate = {
  version: '1.2.0',
  packageVersion: '1.2.0',
  changelog,
  latest: '1.1.0',
  tags: ['v1.1.0'],
  breaks: ['chore'],
  uncommitted: [],
  today: '2026-12-01',
};

describe('a release', () => {
  it('can be made if nothing is missing, also as the first one', () => {
    expect(releaseProblems(candidate)).toEqual([]);
    expect(releaseProblems({ ...candidate, latest: undefined, tags: [] })).toEqual([]);
  });

  it.each<[what: string, changes: Partial<Candidate>, problem: RegExp]>([
    ['a version that is not later than the last', { latest: '1.10.0' }, /later than 1\.10\.0/],
    ['a version with a tag', { tags: ['v1.2.0'] }, /tag v1\.2\.0 exists/],
    ['a package with another version', { packageVersion: '1.1.0' }, /npm version 1\.2\.0/],
    ['changes that are not committed', { uncommitted: ['lib/a.ts'] }, /Commit these first: lib\/a\.ts/],
    ['no section', { changelog: '# Changelog\n' }, /rename "Unreleased" to "1\.2\.0 \(2026-12-01\)"/],
    [
      'a section without a day',
      { changelog: changelog.replace(' (2026-12-01)', '') },
      /the day of the release/,
    ],
    ['a day that has not come', { today: '2026-11-30' }, /the day of the release/],
    [
      'no word about migrations',
      { changelog: changelog.replace('### Migrations', '### Changed'), breaks: [] },
      /add "### Migrations"/,
    ],
    ['a form that nobody explains', { breaks: ['chore', 'message publish'] }, /with `message publish`\./],
    [
      'entries that belong to no release',
      { changelog: changelog.replace('## Unreleased\n', '## Unreleased\n\n- More.\n') },
      /"Unreleased" still has entries/,
    ],
  ])('is not made with %s', (_what, changes, problem) => {
    const problems = releaseProblems({ ...candidate, ...changes });
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });
});

describe('the changelog of this project', () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
  const sections = sectionsOf(read('docs/CHANGELOG.md'));

  it('has a section for what is not released, then one for each release, with its migrations', () => {
    const titles = sections.map(({ title }) => title.split(' ')[0]);
    expect(titles).toEqual(['Unreleased', ...releases().toReversed()]);
    for (const { parts } of sections.filter(({ text }) => text !== ''))
      expect(parts.get('Migrations')).toMatch(/\w/);
  });

  it('has the version of the package', () => {
    const { version } = JSON.parse(read('package.json'));
    expect(byVersion(version, releases().at(-1) ?? '')).toBeGreaterThanOrEqual(0);
  });
});
