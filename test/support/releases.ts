/**
 * The stored forms of each release: `test/fixtures/releases/<version>`, and `next` for the code as it is. `docs/releases.md`
 * says which changes these files allow.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexShape } from '../../lib/table/schema.ts';

export const releasesFolder = join(import.meta.dirname, '../fixtures/releases');

/**
 * `items`: stored items by kind. `messages`: bodies of messages by queue. `schedules`: what schedules send to the publish queue.
 * `stream`: records of the table's stream. `table`: its indexes. `schemas`: what the release can read, as JSON Schema.
 */
export type ReleaseFile = 'items' | 'messages' | 'schedules' | 'stream' | 'table' | 'schemas';

/** The files that `next` has too: a release copies them. */
export const copiedFiles = ['items', 'messages', 'schedules', 'stream'] as const;
export const frozenFiles = [...copiedFiles, 'table', 'schemas'] as const satisfies readonly ReleaseFile[];

/** The releases with files, oldest first. */
export function releases(): string[] {
  return readdirSync(releasesFolder)
    .filter((name) => /^\d+\.\d+\.\d+$/.test(name))
    .sort(byVersion);
}

/** Orders `0.9.0` before `0.10.0`. */
export function byVersion(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number));
  const differing = [0, 1, 2].find((place) => a?.[place] !== b?.[place]);
  return differing === undefined ? 0 : (a?.[differing] ?? 0) - (b?.[differing] ?? 0);
}

/** The parsed content of a release's file. Bytes are written there as `{ "base64": "…" }`. */
export function readReleaseFile(release: string, file: ReleaseFile): unknown {
  return JSON.parse(readFileSync(join(releasesFolder, release, `${file}.json`), 'utf8'), (_name, value) =>
    typeof value?.base64 === 'string' ? new Uint8Array(Buffer.from(value.base64, 'base64')) : value,
  );
}

/**
 * Returns the forms that the next release writes and the one before cannot read, with the reason why that is acceptable, by
 * kind of item or `message <queue>`.
 */
export function acceptedBreaks(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(releasesFolder, 'next/breaks.json'), 'utf8'));
}

/** A digest of a release's files, which never change. */
export function digestOf(release: string): string {
  const hash = createHash('sha256');
  for (const file of frozenFiles) hash.update(readFileSync(join(releasesFolder, release, `${file}.json`)));
  return hash.digest('hex');
}

export const digestsFile = join(releasesFolder, 'digests.json');

export function readDigests(): Readonly<Record<string, string>> {
  return existsSync(digestsFile) ? JSON.parse(readFileSync(digestsFile, 'utf8')) : {};
}

/**
 * The indexes that one update would have to create or delete. CloudFormation does one of these per update of a table; an index with
 * another key or projection is deleted and created.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.OnlineOps.html
 */
export function indexChanges(before: readonly IndexShape[], after: readonly IndexShape[]): string[] {
  const textOf = ({ indexName, partitionKey, sortKey, projection }: IndexShape) =>
    `${indexName} (${partitionKey}, ${sortKey}, ${projection})`;
  const [old, present] = [new Set(before.map(textOf)), new Set(after.map(textOf))];
  return [
    ...[...old].filter((index) => !present.has(index)).map((index) => `delete ${index}`),
    ...[...present].filter((index) => !old.has(index)).map((index) => `create ${index}`),
  ];
}
