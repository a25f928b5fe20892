/**
 * `npm run release:fixtures -- <version>`: keeps what the code stores and reads now as the files of a release, which later releases
 * are tested with.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexes } from '../../lib/table/schema.ts';
import { readableForms } from '../support/release-schemas.ts';
import {
  byVersion,
  copiedFiles,
  digestOf,
  digestsFile,
  readDigests,
  releases,
  releasesFolder,
} from '../support/releases.ts';

const [version = ''] = process.argv.slice(2);
const latest = releases().at(-1);

if (!/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('Usage: npm run release:fixtures -- <version>, such as 1.2.0');
  process.exitCode = 2;
} else if (latest !== undefined && byVersion(version, latest) <= 0) {
  console.error(`the version must be later than ${latest}`);
  process.exitCode = 1;
} else {
  freeze(version);
  console.log(`Commit test/fixtures/releases, and tag the commit v${version}.`);
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
