import type { RegisteredRouter } from '@tanstack/react-router';
import { expect } from 'vitest';

import { type Panel, panelTest, violationsIn } from './panel.ts';

/** A page's path as the router has it: `/posts/$id`. */
export type PagePath = keyof RegisteredRouter['routesByPath'];

/** The panel of a walk. */
export interface WalkedPanel extends Panel {
  /**
   * Checks the page as it is now with axe-core in both themes. The walk of a page does so at least once.
   *
   * @param ignored rules that do not fit here
   */
  inspect(ignored?: readonly string[]): Promise<void>;
}

/**
 * A test of the main thing that a person does on a page, which also passes axe-core. `test/panel/walks/pages.test.ts` fails if a
 * page has none.
 */
export function walk(path: PagePath, title: string, go: (panel: WalkedPanel) => Promise<void>): void {
  panelTest(title, async ({ panel }) => {
    const inspected: string[] = [];
    await go({
      ...panel,
      inspect: async (ignored) => {
        inspected.push(new URL(panel.page.url()).pathname);
        expect(await violationsIn(panel.page, ignored)).toEqual([]);
      },
    });
    expect(inspected, `the walk inspects ${path}`).toContainEqual(expect.stringMatching(addressesOf(path)));
  });
}

/** The addresses of a page: `$id` is any segment, `{-$tab}` any or none, a final `$` any number of them. */
export const addressesOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/\/\{-\$\w+\}/g, '(/[^/]+)?')
      .replace(/\/\$$/, '/.+')
      .replace(/\$\w+/g, '[^/]+')}$`,
  );
