/**
 * Where popovers open. They keep farther from the edges of the window than `scroll-padding` of the page: else the browser scrolls the
 * page to bring their items into view, and a page that scrolls closes them.
 */
export const popoverPlace = { offset: 4, containerPadding: 40 } as const;
