import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pagesOfRouter } from '../support/pages.ts';

it('every page of the router has a walk', () => {
  const pages = pagesOfRouter();
  expect(pages.length).toBeGreaterThan(10);
  expect(new Set(walkedPaths())).toEqual(new Set(pages));
});

it('every tab of a page has a walk', () => {
  const pages = join(import.meta.dirname, '../../../lib/panel/pages');
  const tabs = globSync('*/page.tsx', { cwd: pages }).flatMap((file) =>
    [...readFileSync(join(pages, file), 'utf8').matchAll(/ href: '([^']+)'/g)].map(([, href = '']) => href),
  );
  expect(tabs.length).toBeGreaterThan(6);
  for (const tab of tabs) expect(walks(), tab).toContainEqual(expect.stringContaining(`open('${tab}')`));
});

const walkedPaths = () => walks().map((walk) => /^walk\(\s*'([^']+)'/.exec(walk)?.[1]);

/** The source of each walk. */
function walks(): string[] {
  const files = globSync('*.test.ts', { cwd: import.meta.dirname });
  return files
    .flatMap((file) => readFileSync(join(import.meta.dirname, file), 'utf8').split(/^ {2}(?=\w+\()/m))
    .filter((test) => test.startsWith('walk('));
}
