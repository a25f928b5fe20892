import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { type Panel, panelTest } from '../../panel/support/panel.ts';
import { type Scene, scenes } from '../../panel/support/scenes.ts';

/** The most presses of a scene. Only one that never comes to an end reaches it. */
const mostPresses = 200;

describe('a press of any button, tab or item of a menu leaves the focus in the page', () => {
  for (const [number, scene] of scenes.entries())
    panelTest(scene.name, async ({ panel }) => {
      const { page } = panel;
      const answered = watch(page);
      const pressed = new Set<string>();
      const losing = new Set<string>();
      /** The overlays that are open, each with the press that has opened it. */
      let open: { readonly overlay: string; readonly by: string }[] = [];
      let presses = 0;
      await show(scene, panel);
      for (; presses < mostPresses; presses += 1) {
        // What surrounds every page is pressed on the first one.
        const found = await page.evaluate(findNext, {
          within: number === 0 ? '*' : ':not(header *)',
          pressed: [...pressed],
        });
        if (found === undefined && open.length === 0) break;
        const name = found?.name ?? `Escape, after ${open.at(-1)?.by}`;
        pressed.add(name);
        // One button closes the overlay. For the others, it is opened again.
        if (found?.hasOthers) for (const { by } of open) pressed.delete(by);
        const [address, path] = [page.url(), pathOf(page)];
        await page.keyboard.press(found === undefined ? 'Escape' : 'Enter');
        await answered(path);
        const { isLost, isLeft, overlay } = await page.evaluate(look);
        if (isLost && pathOf(page) === path && !(await comesBack(page))) losing.add(name);
        // Some dialogs do not close with Escape.
        const isStuck = found === undefined && overlay !== undefined && open.at(-1)?.overlay === overlay;
        const known = open.findIndex((each) => each.overlay === overlay);
        if (overlay === undefined) open = [];
        else open = known < 0 ? [...open, { overlay, by: name }] : open.slice(0, known + 1);
        if (isLeft || isStuck || page.url() !== address) {
          open = [];
          await show(scene, panel);
        }
      }
      expect([...losing]).toEqual([]);
      expect(presses).toBeLessThan(mostPresses);
    });
});

async function show({ path, time, serve, ready, act }: Scene, panel: Panel): Promise<void> {
  const { page } = panel;
  if (time !== undefined) await panel.setTime(time);
  serve(panel);
  await page.setViewportSize({ width: 1_280, height: 900 });
  await panel.open(path);
  await page.locator(ready).first().waitFor();
  await act?.(page);
  await page.evaluate(() => document.body.setAttribute('data-shown', ''));
}

/** Returns what waits until the page of a path has the answers to its requests and has painted, or was left. */
function watch(page: Page): (path: string) => Promise<void> {
  const asked = new Set<unknown>();
  page.on('request', (request) => asked.add(request));
  page.on('requestfinished', (request) => asked.delete(request));
  page.on('requestfailed', (request) => asked.delete(request));
  // Those of a page that was left have no end.
  page.on('framenavigated', () => asked.clear());
  const paint = () =>
    page
      .evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))))
      // It ends with a page that is left.
      .catch(() => page.waitForLoadState());
  return async (path) => {
    do await paint();
    while (pathOf(page) === path && (asked.size > 0 || (await page.evaluate(isOpening))));
    await paint();
  };
}

/** Returns true if the page gives the focus to something once it has tried again what has failed. */
const comesBack = (page: Page): Promise<boolean> =>
  page
    .waitForFunction(() => document.activeElement !== document.body, undefined, { timeout: 10_000 })
    .then(
      () => true,
      () => false,
    );

const pathOf = (page: Page): string => new URL(page.url()).pathname;

interface Fiber {
  readonly tag: number;
  readonly memoizedState: unknown;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
  readonly stateNode: { readonly current: Fiber };
}

/**
 * Returns true if something was opened that is not shown yet: a `Suspense` waits for its code, or React waits up to 300 ms before it
 * shows what has loaded. Nothing in the page tells, so this reads what React knows.
 */
function isOpening(): boolean {
  const suspense = 13;
  const waits = (fiber: Fiber | null): boolean => {
    for (let each = fiber; each !== null; each = each.sibling)
      if ((each.tag === suspense && each.memoizedState !== null) || waits(each.child)) return true;
    return false;
  };
  return [...document.querySelectorAll('body > *')]
    .flatMap((element) => Object.entries(element))
    .some(
      ([name, fiber]) => name.startsWith('__reactContainer$') && waits((fiber as Fiber).stateNode.current),
    );
}

/** Gives the focus to the next of what can be pressed and was not, if there is one. It runs in the page. */
function findNext({ within, pressed }: { readonly within: string; readonly pressed: readonly string[] }) {
  const [next, ...others] = [
    ...document.querySelectorAll<HTMLElement>(
      'button:enabled, summary, [role^=menuitem], [role=tab]:not(a, [aria-selected=true])',
    ),
  ]
    .filter(
      (each) =>
        each.matches(within) &&
        // The list of commands is chosen from in its field, and has tests of its own.
        !(document.activeElement?.tagName === 'INPUT' && each.role === 'menuitem') &&
        each.checkVisibility({ visibilityProperty: true }) &&
        each.ariaDisabled !== 'true' &&
        // React Aria's overlays have a button that only screen readers see.
        (each.tabIndex >= 0 || each.closest('[role=grid]') !== null) &&
        each.closest('[inert], [aria-hidden=true]') === null,
    )
    .map((element) => {
      const text = `${element.closest('[role=menu]')?.ariaLabel ?? ''} ${element.ariaLabel || element.textContent}`;
      const dialog = element.closest('[role=dialog], [role=alertdialog]');
      const title = dialog?.ariaLabel ?? dialog?.querySelector('h2')?.textContent ?? '';
      // Of buttons that differ in a name, a day or a number, one is pressed.
      const name = `${title} ${text}`.replaceAll(/“[^”]*”|\w+day \d+ \w+|\d+/g, '…').trim();
      return { element, name, isTab: element.role === 'tab' };
    })
    .filter(({ name }) => !pressed.includes(name))
    // Behind a tab are other buttons: those of the open one first.
    .sort((one, other) => Number(one.isTab) - Number(other.isTab));
  next?.element.focus();
  return next && { name: next.name, hasOthers: others.length > 0 };
}

/** Looks at the page from within. */
function look() {
  const { activeElement, body } = document;
  const overlay = [
    ...document.querySelectorAll(
      '[role=dialog], [role=alertdialog]:not([aria-modal=false]), [role=menu], [role=listbox]',
    ),
  ].findLast((each) => each.closest('[inert], [aria-hidden=true]') === null);
  const isLeft = !body.hasAttribute('data-shown');
  return {
    isLeft,
    isLost: !isLeft && (activeElement === null || activeElement === body),
    overlay: overlay && `${overlay.role} ${overlay.ariaLabel ?? overlay.querySelector('h2')?.textContent}`,
  };
}
