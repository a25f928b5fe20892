/** Makes a release: `npm run release`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { indexes } from '../../lib/table/schema.ts';
import { readableForms } from '../support/release-schemas.ts';
import {
  acceptedBreaks,
  copiedFiles,
  digestOf,
  digestsFile,
  readDigests,
  releases,
  releasesFolder,
} from '../support/releases.ts';
import { type Candidate, releaseProblems } from './release-problems.ts';

const help = `npm run release -- <version> [--check]

Checks that a release can be made: package.json and docs/CHANGELOG.md name it, with its migrations, everything is
committed, and the version is new. Then keeps what the code stores and reads now in test/fixtures/releases/<version>,
which later releases are tested with. Commit that, and tag the commit.

Options
  --check   only check
  --help    show this text

Exit codes: 0 done, 1 something is missing, 2 wrong usage.
`;

const root = join(import.meta.dirname, '../..');
const git = (...words: readonly string[]) =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

function candidateOf(version: string): Candidate {
  return {
    version,
    packageVersion: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
    changelog: readFileSync(join(root, 'docs/CHANGELOG.md'), 'utf8'),
    latest: releases().at(-1),
    tags: git('tag'),
    breaks: Object.keys(acceptedBreaks()),
    uncommitted: git('status', '--porcelain').map((line) => line.slice(3)),
    today: new Date().toISOString().slice(0, 10),
  };
}

function freeze(release: string): void {
  const folder = join(releasesFolder, release);
  mkdirSync(folder);
  const write = (path: string, content: unknown) =>
    writeFileSync(path, `${JSON.stringify(content, undefined, 2)}\n`);
  for (const file of copiedFiles)
    write(
      join(folder, `${file}.json`),
      JSON.parse(readFileSync(join(releasesFolder, 'next', `${file}.json`), 'utf8')),
    );
  write(join(folder, 'table.json'), Object.values(indexes));
  write(join(folder, 'schemas.json'), readableForms());
  // The next release is compared with this one.
  write(join(releasesFolder, 'next/breaks.json'), {});
  write(digestsFile, { ...readDigests(), [release]: digestOf(release) });
}

function main(): number {
  const options = { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
  let parsed: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>;
  try {
    parsed = parseArgs({ options, allowPositionals: true });
  } catch (error) {
    console.error((error as Error).message);
    return 2;
  }
  const { values, positionals } = parsed;
  if (values.help) {
    console.log(help);
    return 0;
  }
  const [version = ''] = positionals;
  if (positionals.length !== 1 || !/^\d+\.\d+\.\d+$/.test(version)) {
    console.error('Name one version, such as 1.2.0. npm run release -- --help explains more.');
    return 2;
  }
  const problems = releaseProblems(candidateOf(version));
  if (problems.length > 0) {
    console.error(problems.join('\n'));
    return 1;
  }
  if (values.check) {
    console.log(`${version} can be released.`);
    return 0;
  }
  freeze(version);
  console.log(`Run npm test, commit test/fixtures/releases, and tag the commit: git tag v${version}.`);
  return 0;
}

process.exitCode = main();
