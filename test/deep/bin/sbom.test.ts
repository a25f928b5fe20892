import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';

const root = join(import.meta.dirname, '../../..');

const Bill = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.string(),
  components: z.array(
    z.object({
      purl: z.string(),
      hashes: z.array(z.object({ alg: z.string(), content: z.string() })).default([]),
    }),
  ),
});
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      version: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().default(false),
    }),
  ),
});

it('the bill of materials names each package of the lock file, with its digest, without a network', () => {
  const command = ['run', '--silent', 'sbom', '--', '--offline'];
  const text = execFileSync('npm', command, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024 });
  const bill = Bill.parse(JSON.parse(text));
  const listed = new Map(bill.components.map(({ purl, hashes }) => [decodeURIComponent(purl), hashes]));
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const locked = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  expect(locked.length).toBeGreaterThan(400);
  for (const [path, { name = path.split('node_modules/').at(-1), version, integrity }] of locked) {
    const purl = `pkg:npm/${name}@${version}`;
    const hashes = listed.get(purl);
    expect(hashes, purl).toBeDefined();
    if (integrity === undefined) continue;
    const digest = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
    expect(hashes, purl).toContainEqual({ alg: 'SHA-512', content: digest });
  }
}, 120_000);
