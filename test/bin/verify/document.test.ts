import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifications } from '../../../bin/verify/verifications.ts';
import { type Platform, platformNames, platformTitles } from '../../../lib/platforms/contract/names.ts';

/** Returns the claims that the platform's page lists. */
function documented(platform: Platform): string[] {
  const page = readFileSync(join(import.meta.dirname, `../../../docs/platforms/${platform}.md`), 'utf8');
  const [, section = ''] = page.split(`## Claims about ${platformTitles[platform]}\n`);
  const [own = ''] = section.split(/\n##/);
  return own.split('\n').filter((line) => line.startsWith('| `'));
}

describe.each(platformNames)('the claims about %s', (platform) => {
  const { claims, steps } = verifications[platform];

  it('are listed in docs/platforms, with the same ids and texts, and nothing else', () => {
    expect(documented(platform)).toEqual(
      claims.map(
        ({ id, text, byHand }) => `| \`${id}\`${byHand === undefined ? '' : ' (by hand)'} | ${text} |`,
      ),
    );
  });

  it('are each settled by one step, or say why a person must check them', () => {
    const settled = steps.flatMap((step) => step.claims);
    const byHand = claims.filter((claim) => claim.byHand !== undefined).map(({ id }) => id);
    expect([...settled, ...byHand].sort()).toEqual(claims.map(({ id }) => id).sort());
  });

  it('have ids that begin with the platform', () => {
    for (const { id } of claims) expect(id).toMatch(new RegExp(`^${platform}-[a-z0-9-]+$`));
  });
});
