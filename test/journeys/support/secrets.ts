import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { TestCloud } from '../../support/local-cloud.ts';

export interface Secret {
  /** What it opens, for the message: never the secret itself. */
  readonly what: string;
  readonly value: string;
}

/** Kinds of a simulator's records whose id is what a platform gave to its bearer. */
const bearerKinds = ['token', 'access-token', 'refresh-token', 'authorization-code'];

const Records = z.array(z.object({ kind: z.string(), id: z.string() }));
const AccessKeys = z.record(z.string(), z.object({ secretAccessKey: z.string(), sessionToken: z.string() }));

/** What the platforms have given out, the secrets of our apps, and what the functions sign their calls to AWS with. */
export function secretsOfRun({ dataDirectory, demo, other }: TestCloud): Secret[] {
  const accessKeys = AccessKeys.parse(
    JSON.parse(readFileSync(join(dataDirectory, 'access-keys.json'), 'utf8')),
  );
  return [
    ...platformSecrets(join(dataDirectory, 'platforms')),
    ...[demo, other].map(({ name, apiKey }) => ({ what: `API key of ${name}`, value: apiKey })),
    ...Object.entries(accessKeys).flatMap(([name, { secretAccessKey, sessionToken }]) => [
      { what: `AWS secret key of ${name}`, value: secretAccessKey },
      { what: `AWS session token of ${name}`, value: sessionToken },
    ]),
    // All of our apps' secrets in a local run begin so: see bin/dev/platforms.ts.
    { what: 'secrets of our apps', value: 'local-secret-of-' },
    { what: 'verify token of webhooks', value: 'local-verify-token' },
  ];
}

function platformSecrets(directory: string): Secret[] {
  return readdirSync(directory).flatMap((platform) => {
    const [file] = readdirSync(join(directory, platform)).filter((name) => name.endsWith('.sqlite'));
    if (file === undefined) return [];
    const database = new DatabaseSync(join(directory, platform, file), { readOnly: true });
    try {
      const marks = bearerKinds.map(() => '?').join();
      const rows = database.prepare(`SELECT kind, id FROM record WHERE kind IN (${marks})`);
      return Records.parse(rows.all(...bearerKinds)).map(({ kind, id }) => ({
        what: `${kind} of ${platform}`,
        value: id,
      }));
    } finally {
      database.close();
    }
  });
}

/** What is in the lines though it is secret, plain or as an address or JSON would write it. */
export function leaksIn(lines: readonly string[], secrets: readonly Secret[]): string[] {
  const text = lines.join('\n');
  return secrets.flatMap(({ what, value }) => {
    const forms = new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]);
    return [...forms].some((form) => text.includes(form)) ? [what] : [];
  });
}
