import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { stepsFor } from '../../../bin/verify/review/steps.ts';
import type { Feature } from '../../../lib/platforms/contract/features.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'herald-reviews-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function review(platform: Platform, features: readonly Feature[]) {
  const own = join(folder, platform);
  // The folders of its local cloud.
  const temporary = mkdtempSync(join(folder, 'temporary-'));
  const words = ['review', platform, '--features', features.join(), '--folder', own];
  const child = spawn(process.execPath, [join(root, 'bin/verify.ts'), ...words], {
    cwd: root,
    env: { ...process.env, TMPDIR: temporary, HERALD_CONFIG: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { own, code, said, complaints, left: readdirSync(temporary) };
}

const cases: readonly [Platform, readonly Feature[]][] = [
  ['tiktok', ['publish', 'profile', 'insights']],
  ['threads', ['publish', 'comments', 'removal']],
];

describe('npm run verify -- review', () => {
  it.each(cases)(
    'shows each step of %s with a picture, says what is missing, and leaves nothing behind',
    { timeout: 900_000 },
    async (platform, features) => {
      const { own, code, said, complaints, left } = await review(platform, features);
      expect(said, complaints).not.toContain('FAILED');
      const report = readFileSync(join(own, 'report.md'), 'utf8');
      const steps = stepsFor(platform, features);
      expect(report).toContain(`All ${steps.length} steps were shown`);
      const pictures = readdirSync(own).filter((name) => name.endsWith('.png'));
      expect(pictures.length).toBe(steps.length);
      for (const picture of pictures) {
        expect(report).toContain(`](${picture})`);
        expect(statSync(join(own, picture)).size).toBeGreaterThan(2_000);
      }
      // No pages were named.
      expect(report).toContain('- [ ] No address of your privacy policy');
      expect(code).toBe(1);
      expect(left.filter((name) => name.startsWith('herald-review-'))).toEqual([]);
      expect(existsSync(join(own, 'sample.jpg'))).toBe(true);
    },
  );
});
