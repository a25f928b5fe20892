import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claimsOf } from '../../../bin/verify/verification.ts';
import { verifications } from '../../../bin/verify.ts';
import { type Platform, platformNames, platformTitles } from '../../../lib/platforms/contract/names.ts';

/** Returns the claims that the platform's page lists. */
function documented(platform: Platform): string[] {
  const page = readFileSync(join(import.meta.dirname, `../../../docs/platforms/${platform}.md`), 'utf8');
  const [, section = ''] = page.split(`## Claims about ${platformTitles[platform]}\n`);
  const [own = ''] = section.split(/\n##/);
  return own.split('\n').filter((line) => line.startsWith('| `'));
}

describe.each(platformNames)('the claims about %s', (platform) => {
  const claims = claimsOf(verifications[platform]);

  it('are listed in docs/platforms, with the same ids and texts, and nothing else', () => {
    expect(documented(platform)).toEqual(
      claims.map(
        ({ id, text, byHand }) => `| \`${id}\`${byHand === undefined ? '' : ' (by hand)'} | ${text} |`,
      ),
    );
  });

  it('have ids that begin with the platform, each once', () => {
    for (const { id } of claims) expect(id).toMatch(new RegExp(`^${platform}-[a-z0-9-]+$`));
    expect(new Set(claims.map(({ id }) => id)).size).toBe(claims.length);
  });
});
