/** What had the focus last in the page itself: not in a menu or a dialog, which are beside it. */
let last: HTMLElement | undefined;

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && target.closest(overlays) === null) last = target;
});

const overlays = '[role=menu], [role=listbox], [role=dialog], [role=alertdialog], [data-rac][data-placement]';

/** What has, or had, the focus in the page. */
export const focusedInPage = (): HTMLElement | undefined => last;

/**
 * Gives the focus back to an element once what had it is gone, such as a dialog that a menu has opened: the menu is gone too, so
 * otherwise the focus would begin again at the top of the page. Does nothing if the focus is somewhere.
 *
 * @param to the element, or how to find it once what had the focus is gone
 */
export function returnFocus(to: Place | (() => Place)): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (!isLost) return;
      const place = typeof to === 'function' ? to() : to;
      if (place?.isConnected) place.focus();
    }),
  );
}

type Place = HTMLElement | null | undefined;
